// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import rookery.e2e.api.Answer;
import rookery.e2e.api.Http;
import rookery.e2e.api.Paths;
import rookery.e2e.api.Session;
import rookery.e2e.running.Instance;
import rookery.e2e.running.Rookery;
import rookery.embedded.Deadline;
import tools.jackson.databind.JsonNode;

/** Delayed events are sent once, in the order of their times and none early, while processes are killed (contract.md 8.5). */
@BreaksCluster("kills processes")
class DelayedEventKillsE2E {
    /** The long form has 1,000 and kills every service in turn: {@code deploy/e2e/long delayed}. */
    private static final int EVENTS = Integer.getInteger("rookery.delayed.events", 40);

    private static final List<String> VICTIMS = EVENTS > 100
            ? List.of(
                    "room-service-1",
                    "gateway-1",
                    "auth-service-1",
                    "room-service-2",
                    "sync-service-1",
                    "directory-service-1",
                    "push-service-1",
                    "admin-service-1",
                    "room-service-1",
                    "room-service-2")
            : List.of("room-service-1", "room-service-2");

    private static final int ROOMS = 4;
    /** Below the limit of scheduled events. */
    private static final int OF_USER = 50;

    private static final long DELAY_MIN_MILLIS = 300;
    private static final long DELAY_MAX_MILLIS = EVENTS > 100 ? 60_000 : 3_000;
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final Duration PAUSE = Duration.ofMillis(50);

    private final Rookery rookery;

    DelayedEventKillsE2E(Rookery rookery) {
        this.rookery = rookery;
    }

    /**
     * An event that is due between both times: the request was answered at the end, and may have been repeated.
     *
     * @param early whether a request sent the event, in no order with the events that are due
     */
    private record DelayedEvent(String body, String room, boolean early, long dueFromMillis, long dueUntilMillis) {
        boolean isBefore(DelayedEvent other) {
            return !early && !other.early && dueUntilMillis < other.dueFromMillis;
        }
    }

    @Test
    void eachEventIsSentOnceInOrderAndNoneEarly() throws Exception {
        try (var http = rookery.http()) {
            var users = users(http);
            var rooms = rooms(users);
            var planned = new ArrayList<DelayedEvent>();
            try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
                var scheduling = new ArrayList<Future<List<DelayedEvent>>>();
                for (int i = 0; i < users.size(); i++) {
                    int first = i * OF_USER;
                    var user = users.get(i);
                    scheduling.add(threads.submit(() -> schedule(user, rooms, first)));
                }
                killAll();
                for (var one : scheduling) {
                    planned.addAll(one.get());
                }
            }
            for (String room : rooms) {
                assertSent(
                        planned.stream()
                                .filter(event -> event.room.equals(room))
                                .toList(),
                        users.getFirst(),
                        room);
            }
        }
    }

    private static List<Session> users(Http http) throws IOException {
        var users = new ArrayList<Session>();
        for (int made = 0; made < EVENTS; made += OF_USER) {
            users.add(People.newcomer(http, "delayed"));
        }
        return users;
    }

    private static List<String> rooms(List<Session> users) throws IOException {
        var rooms = new ArrayList<String>();
        for (int i = 0; i < ROOMS; i++) {
            String room = users.getFirst().createRoom(Map.of("preset", "public_chat"));
            for (var user : users.subList(1, users.size())) {
                user.join(room);
            }
            rooms.add(room);
        }
        return rooms;
    }

    private static List<DelayedEvent> schedule(Session user, List<String> rooms, int first) {
        var planned = new ArrayList<DelayedEvent>();
        for (int i = first; i < Math.min(first + OF_USER, EVENTS); i++) {
            String room = rooms.get(i % ROOMS);
            // far apart, and in another order than that of the requests
            long delay = DELAY_MIN_MILLIS + (i * 7_919L) % (DELAY_MAX_MILLIS - DELAY_MIN_MILLIS);
            planned.add(i % 10 == 9 ? sentEarly(user, room, "e" + i) : scheduled(user, room, "e" + i, delay));
        }
        return planned;
    }

    private static DelayedEvent scheduled(Session user, String room, String body, long delayMillis) {
        long begun = System.currentTimeMillis();
        delayId(user, room, body, delayMillis);
        return new DelayedEvent(body, room, false, begun + delayMillis, System.currentTimeMillis() + delayMillis);
    }

    /** An event that would be due after the test. */
    private static DelayedEvent sentEarly(Session user, String room, String body) {
        long begun = System.currentTimeMillis();
        String id = delayId(user, room, body, Duration.ofHours(1).toMillis());
        answered(user, "POST", "/unstable/org.matrix.msc4140/delayed_events/" + id + "/send", Map.of());
        return new DelayedEvent(body, room, true, begun, System.currentTimeMillis());
    }

    private static String delayId(Session user, String room, String body, long delayMillis) {
        var path = Paths.room(room, "/send/m.room.message/" + body + "?org.matrix.msc4140.delay=" + delayMillis);
        return answered(user, "PUT", path, Map.of("msgtype", "m.text", "body", body))
                .path("delay_id")
                .asString();
    }

    /** Repeats the request until a successful answer, as clients do. */
    private static JsonNode answered(Session user, String method, String path, Map<String, ?> body) {
        var answers = new ArrayList<Answer>();
        assertThat(Deadline.in(PATIENCE).until(PAUSE, () -> {
                    var answer = tried(user, method, path, body);
                    return answer != null && answer.isOk() && answers.add(answer);
                }))
                .as("%s %s", method, path)
                .isTrue();
        return answers.getFirst().json();
    }

    private static @Nullable Answer tried(Session user, String method, String path, @Nullable Map<String, ?> body) {
        try {
            return user.call(method, path, body);
        } catch (IOException _) {
            return null;
        }
    }

    private void killAll() {
        var killed = new HashMap<String, @Nullable Instance>();
        for (String victim : VICTIMS) {
            awaitRunning(victim, killed.get(victim));
            killed.put(victim, rookery.kill(victim));
        }
        killed.forEach(this::awaitRunning);
    }

    private void awaitRunning(String name, @Nullable Instance before) {
        assertThat(Deadline.in(PATIENCE).until(PAUSE, () -> rookery.runs(name, before)))
                .as("%s runs", name)
                .isTrue();
    }

    private static void assertSent(List<DelayedEvent> planned, Session reader, String room) {
        var sent = new ArrayList<JsonNode>();
        Deadline.in(PATIENCE).until(PAUSE, () -> {
            sent.clear();
            sent.addAll(messages(reader, room));
            return sent.size() >= planned.size();
        });
        var bodies = sent.stream().map(DelayedEventKillsE2E::body).toList();
        assertThat(bodies)
                .as("sent in %s", room)
                .containsExactlyInAnyOrderElementsOf(
                        planned.stream().map(DelayedEvent::body).toList());
        for (var event : planned) {
            int place = bodies.indexOf(event.body);
            assertThat(sent.get(place).path("origin_server_ts").asLong())
                    .as("the time of %s", event)
                    .isGreaterThanOrEqualTo(event.dueFromMillis);
            for (var later : planned) {
                if (event.isBefore(later)) {
                    assertThat(place).as("%s before %s", event, later).isLessThan(bodies.indexOf(later.body));
                }
            }
        }
    }

    private static String body(JsonNode message) {
        return message.path("content").path("body").asString();
    }

    /** All messages of the room, oldest first; fewer while a process is away. */
    private static List<JsonNode> messages(Session reader, String room) {
        var messages = new ArrayList<JsonNode>();
        String from = "";
        while (true) {
            var page = tried(reader, "GET", Paths.room(room, "/messages?dir=f&limit=100" + from), null);
            if (page == null || !page.isOk()) {
                return messages;
            }
            page.json()
                    .path("chunk")
                    .valueStream()
                    .filter(event -> event.path("type").asString().equals("m.room.message"))
                    .forEach(messages::add);
            if (!page.json().has("end")) {
                return messages;
            }
            from = "&from=" + Paths.encoded(page.json().path("end").asString());
        }
    }
}
