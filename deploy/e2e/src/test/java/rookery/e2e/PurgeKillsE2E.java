// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import rookery.e2e.api.Paths;
import rookery.e2e.api.Session;
import rookery.e2e.api.SyncQuery;
import rookery.e2e.running.Instance;
import rookery.e2e.running.Rookery;
import rookery.embedded.Deadline;

/** A room that is purged while people talk in it and processes are killed is whole or gone, and then gone (contract.md 5.4). */
@BreaksCluster("kills processes")
class PurgeKillsE2E {
    /** In the long runs every service in turn: {@code deploy/e2e/long purges}. */
    private static final List<String> VICTIMS = Boolean.getBoolean("rookery.purges.all")
            ? List.of(
                    "room-service-1",
                    "push-service-1",
                    "auth-service-1",
                    "directory-service-1",
                    "sync-service-1",
                    "admin-service-1",
                    "gateway-1",
                    "room-service-2")
            : List.of("room-service-1", "push-service-1", "sync-service-1");

    private static final int FIRST_EVENTS = 20;
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration PAUSE = Duration.ofMillis(50);

    private final Rookery rookery;

    PurgeKillsE2E(Rookery rookery) {
        this.rookery = rookery;
    }

    @Test
    void roomIsWholeOrGoneAndThenGone() throws Exception {
        try (var http = rookery.http()) {
            var root = Steps.administrator(rookery, http);
            var ada = People.newcomer(http, "ada");
            var bob = People.newcomer(http, "bob");
            var killed = new LinkedHashMap<String, Instance>();
            var rooms = new LinkedHashMap<String, String>();
            for (String victim :
                    VICTIMS) { // all rooms first, because creating rooms needs the services that are killed
                rooms.put(victim, room(ada, bob));
            }
            for (String victim : VICTIMS) {
                String room = Objects.requireNonNull(rooms.get(victim));
                killed.put(victim, purgedWhileDying(root, List.of(ada, bob), room, victim));
            }
            killed.forEach((victim, before) -> assertThat(
                            Deadline.in(PATIENCE).until(PAUSE, () -> rookery.runs(victim, before)))
                    .as("%s runs again", victim)
                    .isTrue());
            for (String room : rooms.values()) {
                Traces.awaitNone(rookery, room, PurgeE2E.KEPT);
            }
        }
    }

    /** While everybody looks on. */
    private Instance purgedWhileDying(Session root, List<Session> members, String room, String victim)
            throws Exception {
        var witnesses =
                members.stream().map(member -> new Witness(member, room)).toList();
        var readers = members.stream().map(member -> new Reader(member, room)).toList();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var running = new ArrayList<Future<?>>();
            witnesses.forEach(witness -> running.add(threads.submit(witness)));
            readers.forEach(reader -> running.add(threads.submit(reader)));
            assertThat(Deadline.in(PATIENCE)
                            .until(
                                    PAUSE,
                                    () -> witnesses.stream().allMatch(Witness::hasSeenIt)
                                            && readers.stream().allMatch(Reader::hasSeenIt)))
                    .isTrue();
            var killing = threads.submit(() -> rookery.kill(victim));
            purge(root, room);
            for (var each : running) {
                each.get();
            }
            witnesses.forEach(witness -> assertThat(witness.wrong)
                    .as("%s while %s died", witness.session, victim)
                    .isEmpty());
            readers.forEach(reader -> assertThat(reader.leaves)
                    .as("%s while %s died, told at last: %s", reader.session, victim, reader.last)
                    .hasValue(1));
            return Objects.requireNonNull(killing.get());
        }
    }

    private static String room(Session ada, Session bob) throws IOException {
        var room = ada.createRoom(Map.of("visibility", "public", "preset", "public_chat"));
        bob.join(room);
        for (int i = 0; i < FIRST_EVENTS; i++) {
            ada.say(room, "first");
        }
        return room;
    }

    /** Until it is answered: an answer that was lost is asked for again, as any administrator would. */
    private static void purge(Session root, String room) {
        assertThat(Deadline.in(PATIENCE).until(PAUSE, () -> {
                    try {
                        return root.call("POST", "/v3/admin/rooms/" + Paths.encoded(room) + "/purge", null)
                                .isOk();
                    } catch (IOException e) {
                        return false;
                    }
                }))
                .isTrue();
    }

    /** Talks in the room and reads its beginning until it is gone, and a while longer. */
    private static final class Witness implements Runnable {
        private static final int LOOKS_AFTER = 40;

        private final Session session;
        private final String room;
        private final List<String> wrong = new ArrayList<>();
        private volatile boolean seen;

        Witness(Session session, String room) {
            this.session = session;
            this.room = room;
        }

        boolean hasSeenIt() {
            return seen;
        }

        @Override
        public void run() {
            int looksAfter = 0;
            var deadline = Deadline.in(PATIENCE);
            for (int i = 0; looksAfter < LOOKS_AFTER; i++) {
                boolean gone = looksAfter > 0;
                var read = look("GET", "/messages?dir=f&limit=" + FIRST_EVENTS, null);
                var sent = look(
                        "PUT",
                        "/send/m.room.message/" + room.hashCode() + "-" + i,
                        Map.of("msgtype", "m.text", "body", "x"));
                if (gone && (read.startsWith("200") || sent.startsWith("200"))) {
                    wrong.add("it came back: " + read + ", " + sent);
                }
                if (read.startsWith("200") && !read.endsWith(" " + FIRST_EVENTS)) {
                    wrong.add("only a part of it is there: " + read);
                }
                seen |= read.startsWith("200");
                looksAfter += gone || read.startsWith("403") ? 1 : 0;
                if (deadline.passed()) {
                    wrong.add("it is still not gone: " + read + ", " + sent);
                    return;
                }
            }
        }

        /** The status and the number of events; empty if nobody answered. */
        private String look(String method, String path, @Nullable Map<String, ?> body) {
            try {
                var answer = session.call(method, Paths.room(room, path), body);
                return answer.status() + " "
                        + (answer.isOk() ? answer.json().path("chunk").size() : answer.errcode());
            } catch (IOException e) {
                return "";
            }
        }
    }

    /** Syncs until the room's leave arrives, and a few times more. */
    private static final class Reader implements Runnable {
        private static final int LOOKS_AFTER = 10;
        private static final Duration POLL = Duration.ofMillis(300);

        private final Session session;
        private final String room;
        private final AtomicInteger leaves = new AtomicInteger();
        private volatile String last = "nothing";
        private volatile boolean seen;

        Reader(Session session, String room) {
            this.session = session;
            this.room = room;
        }

        boolean hasSeenIt() {
            return seen;
        }

        @Override
        public void run() {
            var since = "";
            int looksAfter = 0;
            var deadline = Deadline.in(PATIENCE);
            while (looksAfter < LOOKS_AFTER && !deadline.passed()) {
                try {
                    var query = since.isEmpty()
                            ? SyncQuery.initial()
                            : SyncQuery.since(since).waiting(POLL);
                    var answer = session.trySync(query);
                    last = answer.status() + " " + answer.text();
                    if (answer.isOk()) {
                        var rooms = answer.json().path("rooms");
                        seen |= rooms.path("join").has(room); // a device that never saw the room gets no leave
                        leaves.addAndGet(rooms.path("leave").has(room) ? 1 : 0);
                        leaves.addAndGet(leaves.get() > 0 && rooms.path("join").has(room) ? 100 : 0);
                        since = answer.json().path("next_batch").asString();
                        looksAfter += leaves.get() > 0 ? 1 : 0;
                    }
                } catch (IOException e) {
                    // retried with the same token
                    last = e.toString();
                }
            }
        }
    }
}
