package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.parallel.ResourceLock;
import rookery.e2e.api.Http;
import rookery.e2e.api.Session;
import rookery.e2e.api.SyncQuery;
import rookery.e2e.load.Crowd;
import rookery.e2e.load.Talk;
import rookery.e2e.running.Plan;
import rookery.e2e.running.Remains;
import rookery.e2e.running.Rookery;
import tools.jackson.databind.JsonNode;

/** What a person with a laptop has: all in one JVM, with the default rate limit, stopped and started and once killed. */
@TestMethodOrder(OrderAnnotation.class)
@ResourceLock(ClusterExtension.ROOKERY_OF_ITS_OWN)
class OneJvmE2E {
    private static final Plan PLAN = Plan.quick("one-jvm")
            .tenants(ClusterExtension.SECOND_TENANT)
            // a request whose count comes late, on a busy machine, is counted twice: a limit never opens, but it may
            // close early
            .with("-Drookery.redis.timeout=2s");
    private static final int DEFAULT_LIMIT = 100;
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final String TEXT = "Hello! Can you hear me?";

    private static Rookery rookery;
    private static String room;
    private static Session ada;
    private static Session grace;

    @BeforeAll
    static void start() throws IOException {
        rookery = Rookery.start(PLAN.maxRequests(DEFAULT_LIMIT));
        var http = rookery.http();
        ada = People.newcomer(http, "ada");
        grace = People.newcomer(http, "grace");
        room = ada.createRoom(Map.of("preset", "private_chat", "name", "Tea"));
    }

    @AfterAll
    static void nothingIsLeftBehind() {
        rookery.close();
        assertThat(Remains.of(PLAN.data())).isEmpty();
    }

    @Test
    @Order(1)
    void newcomersTalkAndPageBack() throws Exception {
        ada.invite(room, grace.userId());
        var invited = grace.sync(SyncQuery.initial());
        assertThat(invited.path("rooms").path("invite").has(room)).isTrue();
        grace.join(room);
        var since = grace.sync(SyncQuery.initial()).path("next_batch").asString();

        String eventId;
        JsonNode heard;
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Callable<JsonNode> poll = () ->
                    grace.syncUntil(since, sync -> !Session.timeline(sync, room).isEmpty());
            var parked = threads.submit(poll);
            eventId = ada.say(room, TEXT);
            heard = parked.get();
        }

        assertThat(Session.timeline(heard, room)).extracting(OneJvmE2E::id).containsExactly(eventId);
        assertThat(history()).startsWith(TEXT).hasSizeGreaterThan(5);
    }

    @Test
    @Order(2)
    void requestNumber101IsToldToWait() throws Exception {
        try (var http = Http.to(rookery.site(), InetAddress.getByName("127.0.0.77"));
                var neighbour = Http.to(rookery.site(), InetAddress.getByName("127.0.0.78"))) {
            for (int i = 1; i <= DEFAULT_LIMIT; i++) {
                assertThat(http.call("GET", "/versions", null, null).status()).isEqualTo(200);
            }

            var refused = http.call("GET", "/versions", null, null);

            assertThat(refused.status()).isEqualTo(429);
            assertThat(refused.errcode()).isEqualTo("M_LIMIT_EXCEEDED");
            assertThat(refused.json().path("retry_after_ms").asLong()).isBetween(1L, 60_000L);
            assertThat(refused.headers().firstValueAsLong("Retry-After").orElseThrow())
                    .isBetween(1L, 60L);
            assertThat(neighbour.call("GET", "/versions", null, null).status()).isEqualTo(200);
        }
    }

    @Test
    @Order(3)
    void historyIsThereAfterStopAndStart() throws Exception {
        var since = grace.sync(SyncQuery.initial()).path("next_batch").asString();
        rookery.stop();
        rookery = Rookery.start(PLAN); // from here on without a limit
        ada = ada.through(rookery.http());
        grace = grace.through(rookery.http());

        assertThat(history()).startsWith(TEXT).hasSizeGreaterThan(5);
        var eventId = ada.say(room, "and now?");
        var heard = grace.sync(SyncQuery.since(since));
        assertThat(Session.timeline(heard, room)).extracting(OneJvmE2E::id).containsExactly(eventId);
    }

    @Test
    @Order(4)
    void nothingIsLostWhenAllOfItIsKilledAndStartedAgain() throws Exception {
        var wishes = List.of(
                new Crowd.TenantSize(rookery.site(), 6, 3),
                new Crowd.TenantSize(rookery.site(ClusterExtension.SECOND_TENANT), 4, 2));
        try (var crowd = Crowd.gather(People.name("crowd"), wishes)) {
            var talked = Talk.hold(
                    rookery,
                    crowd,
                    Talk.Amount.steady(40, Duration.ofSeconds(4)).patience(PATIENCE),
                    () -> {
                        rookery.killAll();
                        rookery.startAgain();
                    });

            assertThat(talked.troubles()).isEmpty();
            assertThat(talked.violations(null)).isEmpty();
            assertThat(talked.allHeard()).isTrue();
        }
    }

    /** The room's messages and other events, newest first, read in pages. */
    private static List<String> history() throws Exception {
        var texts = new ArrayList<String>();
        var page = grace.messages(room, "b", null, null, 3);
        while (true) {
            page.path("chunk")
                    .forEach(event ->
                            texts.add(event.path("content").path("body").asString(id(event))));
            if (!page.has("end")) {
                return texts;
            }
            page = grace.messages(room, "b", page.path("end").asString(), null, 3);
        }
    }

    private static String id(JsonNode event) {
        return event.path("event_id").asString();
    }
}
