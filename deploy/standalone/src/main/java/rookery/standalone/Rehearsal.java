// SPDX-License-Identifier: Apache-2.0
package rookery.standalone;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import rookery.e2e.api.Http;
import rookery.e2e.api.Paths;
import rookery.e2e.api.Session;
import rookery.e2e.api.SyncQuery;
import rookery.e2e.api.TenantAddress;
import rookery.e2e.api.UnexpectedAnswerException;

/**
 * A conversation in the training run for the start caches, so that the caches contain the code for first requests, and profiles
 * of the methods that a busy server runs: the compiler of a later start optimizes these at their first use. The users do
 * everything that clients do all the time: long polls with lazy loading, messages, typing, receipts and read markers.
 */
final class Rehearsal {
    private static final Duration POLL = Duration.ofSeconds(1);
    private static final List<String> NAMES = List.of("ada", "grace", "hedy", "joan", "mary", "radia");
    private static final String LAZY =
            "{\"room\":{\"timeline\":{\"limit\":20},\"state\":{\"lazy_load_members\":true}}}";

    private static final int ATTEMPTS_MAX = 10;

    private final Http http;

    /** Creates the client, which must be the first of the JVM ({@link Http}). */
    Rehearsal(int port) {
        this.http = Http.to(TenantAddress.at(URI.create("http://localhost:" + port), TenantAddress.NATIVE));
    }

    /**
     * The end of the conversation: a number of messages, and a time, so that the first start of a newcomer stays short.
     *
     * @param messages that are not sent yet
     */
    private record End(AtomicInteger messages, long atNanos) {
        boolean isReached() {
            return messages.get() <= 0 || System.nanoTime() - atNanos >= 0;
        }

        boolean takeMessage() {
            return !isReached() && messages.decrementAndGet() >= 0;
        }
    }

    /** Plays the conversation until the messages are sent, or for the given time on a slow machine. */
    void play(int messages, Duration atMost) throws IOException {
        var end = new End(new AtomicInteger(messages), System.nanoTime() + atMost.toNanos());
        var users = new ArrayList<Session>();
        for (var name : NAMES) {
            patiently(() -> Session.register(http, name));
            users.add(patiently(() -> Session.login(http, name)));
        }
        var ada = users.getFirst();
        var rooms = List.of(room(ada, users, "private_chat"), room(ada, users, "public_chat"));
        converse(users, rooms, end);
        lookAround(ada, rooms.getFirst());
        ada.logout();
    }

    /** On a very busy machine the first requests are refused for a moment. */
    private static Session patiently(Attempt attempt) throws IOException {
        for (int number = 1; ; number++) {
            try {
                return attempt.session();
            } catch (UnexpectedAnswerException e) {
                if (number == ATTEMPTS_MAX || !e.isPassing()) {
                    throw e;
                }
            }
        }
    }

    private interface Attempt {
        Session session() throws IOException;
    }

    private static String room(Session creator, List<Session> users, String preset) throws IOException {
        var others = users.stream().skip(1).map(Session::userId).toList();
        var room = creator.createRoom(Map.of("name", "Rehearsal", "preset", preset, "invite", others));
        for (var user : users.subList(1, users.size())) {
            user.join(room);
        }
        return room;
    }

    /** Each user reads and writes on a thread of their own, because a server with one request at a time runs other code. */
    private static void converse(List<Session> users, List<String> rooms, End end) throws IOException {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var parts = new ArrayList<Future<?>>();
            for (var user : users) {
                parts.add(threads.submit(() -> {
                    read(user, end);
                    return true;
                }));
                parts.add(threads.submit(() -> {
                    write(user, rooms, end);
                    return true;
                }));
            }
            for (var part : parts) {
                part.get();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw new IOException(e.getCause());
        }
    }

    private static void read(Session user, End end) throws IOException {
        var answer = user.sync(SyncQuery.initial().filtered(LAZY));
        while (!end.isReached()) {
            var next = answer.path("next_batch").asString();
            answer = user.sync(SyncQuery.since(next).filtered(LAZY).waiting(POLL));
            for (var room : answer.path("rooms").path("join").properties()) {
                var events = Session.timeline(answer, room.getKey());
                if (!events.isEmpty()) {
                    receive(
                            user,
                            room.getKey(),
                            events.getLast().path("event_id").asString());
                }
            }
        }
    }

    private static void receive(Session user, String room, String event) throws IOException {
        user.post(Paths.room(room, "/receipt/m.read/" + Paths.encoded(event)), Map.of());
        user.post(Paths.room(room, "/read_markers"), Map.of("m.fully_read", event, "m.read", event));
    }

    private static void write(Session user, List<String> rooms, End end) throws IOException {
        for (int round = 0; end.takeMessage(); round++) {
            var room = rooms.get(round % rooms.size());
            var typing = Paths.room(room, "/typing/" + Paths.encoded(user.userId()));
            user.put(typing, Map.of("typing", round % 2 == 0, "timeout", 1_000));
            user.say(room, "More tea? " + round);
            user.get("/v3/account/whoami");
        }
    }

    /** One of each of the requests that clients send now and then. */
    private static void lookAround(Session user, String room) throws IOException {
        user.put("/v3/profile/" + Paths.encoded(user.userId()) + "/displayname", Map.of("displayname", "Ada"));
        user.get(Paths.room(room, "/members"));
        user.messages(room, "b", null, null, 10);
        var search = Map.of("search_categories", Map.of("room_events", Map.of("search_term", "tea")));
        user.post("/v3/search", search);
        user.post("/v3/user_directory/search", Map.of("search_term", "grace"));
        for (var path : List.of("/v3/publicRooms", "/v3/pushrules/", "/v3/devices")) {
            user.get(path);
        }
    }
}
