// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import rookery.e2e.AdminProgram.Run;
import rookery.e2e.FilledTenant.People;
import rookery.e2e.api.Http;
import rookery.e2e.api.Paths;
import rookery.e2e.api.Session;
import rookery.e2e.api.SyncQuery;
import rookery.e2e.running.Instance;
import rookery.e2e.running.Rookery;
import rookery.embedded.Deadline;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A tenant in use is exported from one installation and imported into another, while services are killed (contract.md 21). */
@BreaksCluster("kills processes")
@ExtendWith(OtherRookery.Extension.class)
@ResourceLock(value = OneJvmExtension.NAME, mode = ResourceAccessMode.READ)
class TenantTransferE2E {
    private static final int ATTEMPTS = 20;
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration PAUSE = Duration.ofMillis(200);

    private final Rookery target;
    private final Rookery source;
    private final FilledTenant tenant;

    @TempDir
    private Path folder;

    TenantTransferE2E(Rookery target, OtherRookery source) {
        this.target = target;
        this.source = source.rookery();
        this.tenant = new FilledTenant(this.source);
    }

    @Test
    void aTenantInUseMovesWithAllThatPeopleHave() throws Exception {
        tenant.create();
        try (var http = Http.to(source.site(tenant.name));
                var there = Http.to(target.site(tenant.name))) {
            var people = tenant.fill(http);
            exportedWhilePeopleTalk(people);
            var events = events(people.ada(), people.room());
            var admin = new AdminProgram(target);
            untilDone(
                    List.of("room-service-1", "auth-service-1", "push-service-1", "admin-service-1"),
                    () -> admin.run("tenant", "import", folder.toString()));

            Eventually.eventually(
                    () -> there.call("GET", "/v3/login", null, null).isOk());
            for (var person : List.of(people.ada(), people.bob())) {
                assertThat(Session.login(there, localpart(person)).userId()).isEqualTo(person.userId());
            }
            var ada = people.ada().through(there);
            var bob = people.bob().through(there);
            var arrived = events(ada, people.room());
            assertThat(arrived).hasSizeGreaterThan(300).isEqualTo(events.subList(0, arrived.size()));
            for (var path : List.of(
                    Paths.room(people.room(), "/members"),
                    Paths.room(people.room(), "/state/m.room.topic"),
                    "/v3/directory/room/" + Paths.encoded("#tea:" + tenant.name),
                    "/v3/profile/" + Paths.encoded(bob.userId()),
                    "/v3/user/" + Paths.encoded(bob.userId()) + "/account_data/m.test",
                    "/v3/pushers",
                    "/v3/devices/" + bob.deviceId(),
                    "/v1" + Paths.room(people.room(), "/threads").substring(3))) {
                assertThat(withoutPositions(bob.get(path)))
                        .as(path)
                        .isEqualTo(withoutPositions(people.bob().get(path)));
            }
            assertThat(people.root().through(there).get("/v3/admin/reports").toString())
                    .contains("no tea");
            try (var media = new MediaClient(target)) {
                assertThat(media.download(ada, people.file()).body())
                        .isEqualTo(FilledTenant.FILE.getBytes(StandardCharsets.UTF_8));
            }
            var old = people.ada().sync(SyncQuery.initial()).path("next_batch").asString();
            assertThat(Session.timeline(ada.sync(SyncQuery.since(old)), people.room()))
                    .as("a complete answer to a token of the other installation")
                    .isNotEmpty();
            goOn(ada, bob, people.room());
            exportedAgain(admin, events(ada, people.room()));
        }
    }

    /** As a client without a token of this installation, then with one. */
    private static void goOn(Session ada, Session bob, String room) throws IOException {
        var first = bob.sync(SyncQuery.initial());
        assertThat(first.path("to_device").path("events").toString()).contains("\"n\":1");
        assertThat(first.path("rooms").path("join").path(room).path("ephemeral").toString())
                .contains("m.read");
        var since = first.path("next_batch").asString();
        var event = ada.say(room, "at the new place");
        var next =
                bob.syncUntil(since, answer -> !Session.timeline(answer, room).isEmpty());
        assertThat(Session.timeline(next, room).getLast().path("event_id").asString())
                .isEqualTo(event);
        bob.put("/v3/profile/" + Paths.encoded(bob.userId()) + "/displayname", Map.of("displayname", "Bob, moved"));
        Eventually.eventually(
                () -> ada.get(Paths.room(room, "/members")).toString().contains("Bob, moved"));
        assertThat(bob.post("/v3/user_directory/search", Map.of("search_term", "ada"))
                        .toString())
                .contains("@ada:");
    }

    private static String localpart(Session session) {
        return session.userId().substring(1, session.userId().indexOf(':'));
    }

    /** Messages are sent during the whole export. */
    private void exportedWhilePeopleTalk(People people) throws Exception {
        var isOver = new AtomicBoolean();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var talk = threads.submit(() -> {
                for (int i = 0; !isOver.get(); i++) {
                    people.bob().say(people.room(), "meanwhile " + i);
                }
                return null;
            });
            try {
                assertDone(new AdminProgram(source).run("tenant", "export", tenant.name, folder.toString()));
            } finally {
                isOver.set(true);
            }
            talk.get();
        }
    }

    private static void assertDone(Run run) {
        assertThat(run.exit()).as(run.printed()).isZero();
    }

    /** The tenant is exported from the cluster, too, with the same events. */
    private void exportedAgain(AdminProgram admin, List<JsonNode> events) throws Exception {
        var again = folder.resolve("again");
        untilDone(
                List.of("room-service-1", "auth-service-1", "admin-service-1"),
                () -> admin.run("tenant", "export", tenant.name, again.toString()));
        var exported = new ArrayList<String>();
        try (var lines = new BufferedReader(new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(again.resolve("room-service.ndjson.gz"))),
                StandardCharsets.UTF_8))) {
            lines.lines()
                    .map(JsonMapper.shared()::readTree)
                    .filter(line -> line.path("table").asString("").equals("event"))
                    .forEach(line ->
                            exported.add(line.path("row").path("event_id").asString()));
        }
        assertThat(exported)
                .containsAll(events.stream()
                        .map(event -> event.path("event_id").asString())
                        .toList());
    }

    /** The command is repeated until it succeeds; each attempt but the last loses a service. */
    private void untilDone(List<String> services, Callable<Run> command) throws Exception {
        var victims = new ArrayList<>(services);
        var killed = new LinkedHashMap<String, Instance>();
        var last = new Run(1, "");
        for (int attempt = 0; last.exit() != 0 && attempt < ATTEMPTS; attempt++) {
            try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
                var running = threads.submit(command);
                if (!victims.isEmpty()) {
                    var victim = victims.removeFirst();
                    var before = threads.submit(() -> target.kill(victim)).get();
                    killed.put(victim, Objects.requireNonNull(before, victim));
                }
                last = running.get();
            }
        }
        assertDone(last);
        killed.forEach((victim, before) -> assertThat(
                        Deadline.in(PATIENCE).until(PAUSE, () -> target.runs(victim, before)))
                .as("%s runs again", victim)
                .isTrue());
    }

    /** All events from the first on, without what depends on the time of the request. */
    private static List<JsonNode> events(Session session, String room) throws IOException {
        var events = new ArrayList<JsonNode>();
        String from = null;
        do {
            var page = session.messages(room, "f", from, null, 500);
            page.path("chunk").forEach(event -> events.add(withoutPositions(event)));
            from = page.path("end").asString(null);
        } while (from != null);
        return events;
    }

    private static JsonNode withoutPositions(JsonNode node) {
        var copy = node.deepCopy();
        copy.findParents("age").forEach(parent -> ((tools.jackson.databind.node.ObjectNode) parent).remove("age"));
        copy.findParents("last_seen_ts")
                .forEach(parent -> ((tools.jackson.databind.node.ObjectNode) parent).remove("last_seen_ts"));
        return copy;
    }
}
