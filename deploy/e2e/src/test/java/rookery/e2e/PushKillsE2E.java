// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import rookery.e2e.PushWorld.Counts;
import rookery.e2e.PushWorld.ExpectedNotification;
import rookery.e2e.api.Http;
import rookery.e2e.api.Session;
import rookery.e2e.api.SyncQuery;
import rookery.e2e.running.Rookery;
import rookery.embedded.Deadline;
import tools.jackson.databind.JsonNode;

/**
 * Counts stay exact and pushes are sent when push-service is killed (design.md 10): one kill under load, and one during the
 * recovery, while the tenant has more pushes than its limit. The long form is {@code deploy/e2e/long pushes}.
 */
@BreaksCluster("kills a process")
class PushKillsE2E {
    private static final int TALKERS = 4;
    private static final String VICTIM = "push-service-1";
    private static final int KILLS = Integer.getInteger("rookery.pushes.kills", 2);
    private static final int PUSHES_BEFORE = 50;
    /** Fewer than the messages make. */
    private static final int PUSHES_PER_SECOND = 10;

    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final Duration PAUSE = Duration.ofMillis(200);
    private static final Duration POLL = Duration.ofSeconds(5);
    private static final Duration BREATH = Duration.ofMillis(250);
    private static final Duration SHORT = Duration.ofMillis(1);

    /** Longer than an attempt may take: what has not been noted by then never will be. */
    private static final String ATTEMPT_OVER = "12 seconds";

    private final Rookery rookery;
    private final PushProgress followed;
    private final PushInbox inbox = new PushInbox();
    private final Http http;
    private final List<String> troubles = new CopyOnWriteArrayList<>();

    PushKillsE2E(Rookery rookery) {
        this.rookery = rookery;
        this.followed = new PushProgress(rookery);
        this.http = rookery.http();
    }

    @AfterEach
    void close() {
        http.close();
        inbox.close();
    }

    /** A device that syncs continuously, with its last counts of each room. */
    private record Device(Session user, Map<String, Counts> counts) {}

    @Test
    void countsAndPushesAreCompleteAfterKills() throws Exception {
        var talkers = new ArrayList<Session>();
        for (int i = 0; i < TALKERS; i++) {
            talkers.add(People.newcomer(http, "talker"));
        }
        var listener = People.newcomer(http, "listener");
        var ignoring = People.newcomer(http, "ignoring");
        var people = new ArrayList<>(talkers);
        Collections.addAll(people, listener, ignoring);
        var town = new PushWorld(List.of(room(people), room(people)), people);
        town.ignores(ignoring, talkers.getLast());
        var pushed = Map.of(
                "one of " + listener.userId(),
                listener,
                "two of " + listener.userId(),
                listener,
                "one of " + ignoring.userId(),
                ignoring,
                "one of " + talkers.getFirst().userId(),
                talkers.getFirst());
        for (var pusher : pushed.entrySet()) {
            inbox.hears(pusher.getValue(), pusher.getKey(), Map.of());
        }
        followed.everything();
        limitPushes(PUSHES_PER_SECOND);

        var devices = people.stream()
                .map(user -> new Device(user, new ConcurrentHashMap<>()))
                .toList();
        var threads = Executors.newVirtualThreadPerTaskExecutor();
        try {
            devices.forEach(device -> threads.execute(() -> follow(device)));
            talk(threads, town, talkers);
            followed.everything();
            var histories = new HashMap<String, List<JsonNode>>();
            for (var room : town.rooms) {
                histories.put(room, PushWorld.history(talkers.getFirst(), room));
            }
            devices.forEach(device -> assertCounted(device, town, histories));
            limitPushes(0);
            pushCutOffOnes(people);
            pushed.forEach((pushkey, user) -> assertPushed(pushkey, user, town, histories));
        } finally {
            threads.shutdownNow(); // who follows goes on until then
            limitPushes(0);
        }
        assertThat(troubles).isEmpty();
    }

    /** Changes the limit of the first tenant; 0 is none. */
    private void limitPushes(int perSecond) throws IOException {
        var body = Map.of("max_pushes_per_second", perSecond);
        var answer = new OperatorCalls(rookery)
                .call("PATCH", "/tenants/" + SharedRookery.FIRST_TENANT + "/settings", body)
                .ok();
        RegistryVersions.awaitEverywhere(rookery, answer.path("version").asLong());
    }

    private String room(List<Session> people) throws IOException {
        var room = people.getFirst().createRoom(Map.of("preset", "public_chat", "name", "Square"));
        for (var guest : people.subList(1, people.size())) {
            guest.join(room);
        }
        return room;
    }

    /** As long as there are kills to come. */
    private void talk(ExecutorService threads, PushWorld town, List<Session> talkers) throws Exception {
        long seed = new Random().nextLong();
        var killing = threads.submit(() -> kill(new Random(seed)));
        var talks = new ArrayList<Future<?>>();
        for (int i = 0; i < talkers.size(); i++) {
            var talker = talkers.get(i);
            var random = new Random(seed + i);
            talks.add(threads.submit(() -> {
                for (int number = 0; !killing.isDone(); number++) {
                    town.happens(talker, random, number);
                    LockSupport.parkNanos(BREATH.toNanos());
                }
                return true;
            }));
        }
        killing.get();
        for (var talk : talks) {
            talk.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        }
    }

    /** Kills push-service under load, each time after some further pushes, and while there are deferred events. */
    private Boolean kill(Random random) {
        for (int i = 0; i < KILLS; i++) {
            int wanted = inbox.size() + 1 + random.nextInt(PUSHES_BEFORE);
            assertThat(Deadline.in(PATIENCE)
                            .until(
                                    SHORT,
                                    () -> inbox.size() >= wanted && !deferred().isEmpty()))
                    .as("pushes and deferred events after %d kills", i)
                    .isTrue();
            var killed = rookery.kill(VICTIM);
            System.out.printf("killed %s after %d pushes%n", killed, inbox.size());
            assertThat(Deadline.in(PATIENCE).until(PAUSE, () -> rookery.runs(VICTIM, killed)))
                    .as("%s runs again", VICTIM)
                    .isTrue();
        }
        return true;
    }

    private List<String> deferred() {
        return rookery.database("push-service").texts("SELECT event_id FROM push.deferred_event WHERE tenant = 1");
    }

    private void follow(Device device) {
        String since = null;
        while (!Thread.currentThread().isInterrupted()) {
            try {
                var query = since == null
                        ? SyncQuery.initial()
                        : SyncQuery.since(since).waiting(POLL);
                var answer = device.user.sync(query);
                answer.path("rooms").path("join").propertyStream().forEach(room -> {
                    if (room.getValue().has("unread_notifications")) {
                        device.counts.put(room.getKey(), Counts.of(room.getValue()));
                    }
                });
                since = answer.path("next_batch").asString();
            } catch (IOException | RuntimeException e) {
                if (!Thread.currentThread().isInterrupted()) {
                    troubles.add(device.user + ": " + e);
                }
                return;
            }
        }
    }

    private void assertCounted(Device device, PushWorld town, Map<String, List<JsonNode>> histories) {
        histories.forEach((room, history) -> {
            var expected = PushWorld.counts(town.expected(device.user, room, history));
            assertThat(Deadline.in(PATIENCE).until(PAUSE, () -> expected.equals(device.counts.get(room))))
                    .as("%s was told %s of %s, and not %s", device.user, device.counts.get(room), room, expected)
                    .isTrue();
            assertThat(Deadline.in(PATIENCE)
                            .until(PAUSE, () -> fresh(device.user, room).equals(expected)))
                    .as("a new device of %s is told %s, and not %s", device.user, fresh(device.user, room), expected)
                    .isTrue();
        });
    }

    private static Counts fresh(Session user, String room) {
        try {
            return Counts.of(
                    user.sync(SyncQuery.initial()).path("rooms").path("join").path(room));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** As if the minutes until their next attempt were over. */
    private void pushCutOffOnes(List<Session> people) {
        var users = people.stream().map(user -> "'" + user.userId() + "'").toList();
        var pending = "push.unit WHERE tenant = 1 AND outcome = 'pending' AND user_id IN (%s)"
                .formatted(String.join(",", users));
        var database = rookery.database("push-service");
        assertThat(Deadline.in(PATIENCE).until(PAUSE, () -> {
                    database.execute(
                            "UPDATE push.unit SET due_at = now() WHERE id IN (SELECT id FROM %s AND attempts > 0"
                                            .formatted(pending)
                                    + " AND last_attempt_at < now() - interval '%s')".formatted(ATTEMPT_OVER));
                    return deferred().isEmpty()
                            && database.texts("SELECT id FROM " + pending).isEmpty();
                }))
                .as("still pending: %s", database.texts("SELECT event_id FROM " + pending))
                .isTrue();
    }

    /**
     * Each at least once unless it was read or redacted in time, none more often than kills can explain, and nothing else. A kill
     * may come between a push and the note of it, and the next one between its repetition and that one's note.
     */
    private void assertPushed(String pushkey, Session user, PushWorld town, Map<String, List<JsonNode>> histories) {
        var times = new HashMap<String, Integer>();
        inbox.events(pushkey).forEach(event -> times.merge(event, 1, Integer::sum));
        var all = new ArrayList<ExpectedNotification>();
        histories.forEach((room, history) -> all.addAll(town.expected(user, room, history)));
        long twice = times.values().stream().filter(number -> number > 1).count();
        System.out.printf("%s: %d events, %d pushed, %d of them twice%n", pushkey, all.size(), times.size(), twice);
        assertThat(all).hasSizeGreaterThan(KILLS);
        for (var counts : all) {
            int number = times.getOrDefault(counts.event(), 0);
            int least = counts.read() || counts.redacted() ? 0 : 1;
            assertThat(number).as("%s to %s", counts, pushkey).isBetween(least, 1 + KILLS);
        }
        assertThat(all).extracting(ExpectedNotification::event).containsAll(times.keySet());
    }
}
