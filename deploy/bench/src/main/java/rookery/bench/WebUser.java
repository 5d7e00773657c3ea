// SPDX-License-Identifier: Apache-2.0
package rookery.bench;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import rookery.e2e.api.Answer;
import rookery.e2e.api.Gap;
import rookery.e2e.api.Http;
import rookery.e2e.api.Paths;
import rookery.e2e.api.Session;
import rookery.e2e.api.SyncQuery;
import rookery.e2e.api.UnexpectedAnswerException;
import tools.jackson.databind.JsonNode;

/** A connected user: long polls like those of Element Web, and the messages seen in them. */
final class WebUser {
    private static final Duration LONG_POLL = Duration.ofSeconds(30);
    private static final Duration PAUSE = Duration.ofMillis(200);
    private static final int PAGE = 100;
    /** Element Web sends this filter inline in the first sync only, with a limit. */
    private static final String FIRST_FILTER = """
            {"room":{"timeline":{"limit":20,"unread_thread_notifications":true},"state":{"lazy_load_members":true}}}""";

    private static final Map<String, ?> FILTER = Map.of(
            "room",
            Map.of(
                    "timeline", Map.of("unread_thread_notifications", true),
                    "state", Map.of("lazy_load_members", true)));

    /** A new connection. */
    private enum Renewal {
        SAME_TOKEN,
        INITIAL_SYNC
    }

    /** An event of a room. */
    record Arrival(String room, JsonNode event, long nanos) {}

    /** The workload around the users. */
    interface Workload {
        /** Takes the events of an answer; an initial sync may repeat messages. */
        void answered(WebUser reader, List<Arrival> arrivals, boolean repeating);

        void initialSync(long durationNanos);

        void pollFailed(Exception failure);

        boolean isStopped();

        /** A client with connections of its own. */
        Http newConnection();
    }

    private final Workload workload;
    private final Set<Long> seen = ConcurrentHashMap.newKeySet();
    private final AtomicReference<@Nullable Renewal> renewal = new AtomicReference<>();
    private final String filterId;
    private volatile Session session;
    private volatile @Nullable Thread thread;
    private String since;

    /** Signs in: stores the filter and makes the first sync. */
    WebUser(Workload workload, Session session) throws IOException {
        this.workload = workload;
        this.session = session;
        this.filterId = storeFilter(session);
        this.since = sync(SyncQuery.initial().filtered(FIRST_FILTER))
                .ok()
                .path("next_batch")
                .asString();
    }

    /** Stores the filter of Element Web. Returns its id. */
    static String storeFilter(Session session) throws IOException {
        return session.post("/v3/user/" + Paths.encoded(session.userId()) + "/filter", FILTER)
                .path("filter_id")
                .asString();
    }

    Session session() {
        return session;
    }

    /** Remembers a message; false when the user has seen the message before. */
    boolean see(long message) {
        return seen.add(message);
    }

    boolean hasSeen(long message) {
        return seen.contains(message);
    }

    /** Leaves the connection and the poll that waits there, and polls over a new connection. */
    void reconnect(boolean initialSync) {
        renewal.set(initialSync ? Renewal.INITIAL_SYNC : Renewal.SAME_TOKEN);
        var polling = thread;
        if (polling != null) {
            polling.interrupt();
        }
    }

    /** The number of a message of a workload; 0 for other events. */
    static long number(JsonNode event) {
        return event.path("content").path("bench").asLong(0);
    }

    /** Polls until the end of the measurement. */
    void poll() {
        thread = Thread.currentThread();
        boolean initialSync = false;
        while (!workload.isStopped()) {
            Thread.interrupted(); // the interrupt has ended its poll
            var renewed = renewal.getAndSet(null);
            if (renewed != null) {
                session = session.through(workload.newConnection());
                initialSync |= renewed == Renewal.INITIAL_SYNC;
            }
            try {
                if (initialSync) {
                    startAgain();
                } else {
                    goOn();
                }
                initialSync = false;
            } catch (InterruptedIOException _) {
                // the user reconnects, or the measurement has ended
            } catch (IOException | UnexpectedAnswerException e) {
                workload.pollFailed(e);
                LockSupport.parkNanos(PAUSE.toNanos());
            }
        }
    }

    private void goOn() throws IOException {
        var answer = sync(SyncQuery.since(since).waiting(LONG_POLL).filtered(filterId))
                .ok();
        long nowNanos = System.nanoTime();
        var arrivals = new ArrayList<Arrival>();
        for (var room : answer.path("rooms").path("join").properties()) {
            var gap = Gap.in(room.getValue(), room.getKey(), since);
            if (gap != null) {
                add(arrivals, room.getKey(), gap.events(session, PAGE), System.nanoTime());
            }
            add(arrivals, room.getKey(), Session.timeline(answer, room.getKey()), nowNanos);
        }
        since = answer.path("next_batch").asString();
        workload.answered(this, arrivals, false);
    }

    /** An initial sync repeats messages. Messages between the old token and its timelines are paged in. */
    private void startAgain() throws IOException {
        long begunNanos = System.nanoTime();
        var answer = sync(SyncQuery.initial().filtered(FIRST_FILTER)).ok();
        long nowNanos = System.nanoTime();
        var arrivals = new ArrayList<Arrival>();
        for (var room : answer.path("rooms").path("join").properties()) {
            var events = Session.timeline(answer, room.getKey());
            var gap = Gap.in(room.getValue(), room.getKey(), since);
            if (gap != null && events.stream().map(WebUser::number).noneMatch(this::hasSeen)) {
                add(arrivals, room.getKey(), gap.events(session, PAGE), System.nanoTime());
            }
            add(arrivals, room.getKey(), events, nowNanos);
        }
        since = answer.path("next_batch").asString();
        workload.initialSync(nowNanos - begunNanos);
        workload.answered(this, arrivals, true);
    }

    private static void add(List<Arrival> arrivals, String room, List<JsonNode> events, long nanos) {
        events.forEach(event -> arrivals.add(new Arrival(room, event, nanos)));
    }

    private Answer sync(SyncQuery query) throws IOException {
        return session.call("GET", query.path() + "&use_state_after=true", null);
    }
}
