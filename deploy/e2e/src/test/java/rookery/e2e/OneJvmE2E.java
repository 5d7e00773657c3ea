// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import rookery.e2e.api.Http;
import rookery.e2e.api.Session;
import rookery.e2e.api.SyncQuery;
import rookery.e2e.load.Crowd;
import rookery.e2e.load.Talk;
import rookery.e2e.running.Plan;
import rookery.e2e.running.Rookery;
import tools.jackson.databind.JsonNode;

/** What a person with a laptop has: all in one JVM, stopped and started with the default rate limit, and once killed. */
@TestMethodOrder(OrderAnnotation.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@BreaksOneJvm("stops it and kills it")
class OneJvmE2E {
    private static final int DEFAULT_LIMIT = 100;
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final String TEXT = "Hello! Can you hear me?";
    private static final int LARGE_BYTES = 20 << 20;

    private final Rookery rookery;
    private final MediaClient media;
    private Http http;
    private String room;
    private Session ada;
    private Session grace;
    private Http otherHost;
    private Http lastHost;
    private Session alice;
    private String roomOfAlice;
    private Session bob;

    OneJvmE2E(Rookery rookery) {
        this.rookery = rookery;
        this.media = new MediaClient(rookery);
    }

    @BeforeAll
    void register() throws IOException {
        http = rookery.http();
        ada = People.newcomer(http, "ada");
        grace = People.newcomer(http, "grace");
        room = ada.createRoom(Map.of("preset", "private_chat", "name", "Tea"));
        otherHost = Http.to(rookery.site(SharedRookery.SECOND_TENANT));
        lastHost = Http.to(rookery.site(SharedRookery.LAST_TENANT));
        alice = People.newcomer(otherHost, "alice");
        roomOfAlice = alice.createRoom(Map.of("preset", "public_chat", "name", "Plans"));
        bob = People.newcomer(lastHost, "bob");
    }

    @AfterAll
    void close() {
        http.close();
        otherHost.close();
        lastHost.close();
        media.close();
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
        JsonNode answer;
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Callable<JsonNode> poll = () ->
                    grace.syncUntil(since, sync -> !Session.timeline(sync, room).isEmpty());
            var parked = threads.submit(poll);
            eventId = ada.say(room, TEXT);
            answer = parked.get();
        }

        assertThat(Session.timeline(answer, room)).extracting(OneJvmE2E::id).containsExactly(eventId);
        assertThat(history()).startsWith(TEXT).hasSizeGreaterThan(5);
    }

    @Test
    @Order(2)
    void historyAndFilesAreThereAfterStopAndStart() throws Exception {
        var since = grace.sync(SyncQuery.initial()).path("next_batch").asString();
        byte[] large = new byte[LARGE_BYTES];
        new Random(1).nextBytes(large);
        var file = media.upload(ada, large, "application/octet-stream");

        assertThat(rookery.stop()).isZero();
        assertThat(rookery.printed().lines().toList()).last().asString().contains("stopped");
        rookery.startAgain(rookery.plan().tenants(SharedRookery.LAST_TENANT).maxRequests(DEFAULT_LIMIT));

        assertThat(rookery.printed())
                .contains("\nready http://localhost:" + rookery.plan().port() + "\n")
                .contains(DEFAULT_LIMIT + " requests a minute")
                .contains("--max-requests")
                .doesNotContain("not served");
        assertThat(history()).startsWith(TEXT).hasSizeGreaterThan(5);
        assertThat(media.download(grace, file).body()).isEqualTo(large);
        var eventId = ada.say(room, "and now?");
        var answer = grace.sync(SyncQuery.since(since));
        assertThat(Session.timeline(answer, room)).extracting(OneJvmE2E::id).containsExactly(eventId);
    }

    /**
     * The flags of four tenants are gone, so that the flag of the last has the place of the first of them. The registry still has the
     * four.
     */
    @Test
    @Order(3)
    void aTenantWhoseFlagIsGoneIsServedAtItsOwnHostOnly() throws Exception {
        var stolen = alice.through(lastHost).trySync(SyncQuery.initial());
        assertThat(stolen.status()).isEqualTo(401);
        assertThat(stolen.errcode()).isEqualTo("M_UNKNOWN_TOKEN");
        assertThat(alice.trySync(SyncQuery.initial()).isOk()).isTrue();
        assertThat(bob.sync(SyncQuery.initial()).path("next_batch").asString()).isNotEmpty();
        assertThat(Session.login(lastHost, bob.userId()).userId()).isEqualTo(bob.userId());
        assertThat(People.newcomer(lastHost, "eve")
                        .call("POST", "/join/" + roomOfAlice, Map.of())
                        .isOk())
                .isFalse();
    }

    /** In the last tenant, whose administrators have set no limit: other classes set that of the first. */
    @Test
    @Order(4)
    void requestNumber101IsToldToWait() throws Exception {
        var site = rookery.site(SharedRookery.LAST_TENANT);
        try (var client = Http.to(site, InetAddress.getByName("127.0.0.77"));
                var neighbour = Http.to(site, InetAddress.getByName("127.0.0.78"))) {
            for (int i = 1; i <= DEFAULT_LIMIT; i++) {
                assertThat(client.call("GET", "/versions", null, null).status()).isEqualTo(200);
            }

            var refused = client.call("GET", "/versions", null, null);

            assertThat(refused.status()).isEqualTo(429);
            assertThat(refused.errcode()).isEqualTo("M_LIMIT_EXCEEDED");
            assertThat(refused.json().path("retry_after_ms").asLong()).isBetween(1L, 60_000L);
            assertThat(refused.headers().firstValueAsLong("Retry-After").orElseThrow())
                    .isBetween(1L, 60L);
            assertThat(neighbour.call("GET", "/versions", null, null).status()).isEqualTo(200);
        }
    }

    @Test
    @Order(5)
    void nothingIsLostWhenAllOfItIsKilledAndStartedAgain() throws Exception {
        var sizes = List.of(
                new Crowd.TenantSize(rookery.site(), 6, 3),
                new Crowd.TenantSize(rookery.site(SharedRookery.LAST_TENANT), 4, 2));
        try (var crowd = Crowd.gather(People.name("crowd"), sizes)) {
            var talked = Talk.hold(
                    rookery,
                    crowd,
                    Talk.Amount.steady(40, Duration.ofSeconds(4)).patience(PATIENCE),
                    () -> {
                        rookery.killAll();
                        rookery.startAgain(rookery.plan()
                                .tenants(reversed(SharedRookery.TENANTS_AND_ONE))
                                .maxRequests(Plan.UNLIMITED));
                    });

            assertThat(talked.troubles()).isEmpty();
            assertThat(talked.violations(null)).isEmpty();
            assertThat(talked.allReceived()).isTrue();
        }
        assertThat(alice.sync(SyncQuery.initial()).path("rooms").path("join").has(roomOfAlice))
                .as("is served again, in another order")
                .isTrue();
    }

    private static String[] reversed(String... names) {
        return List.of(names).reversed().toArray(String[]::new);
    }

    /** The room's messages and other events, newest first, read in pages. */
    private List<String> history() throws Exception {
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
