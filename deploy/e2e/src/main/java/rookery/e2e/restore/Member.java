// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.restore;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import rookery.e2e.api.Http;
import rookery.e2e.api.Paths;
import rookery.e2e.api.Session;
import rookery.e2e.api.SyncQuery;
import rookery.e2e.api.UnexpectedAnswerException;
import rookery.embedded.Deadline;
import tools.jackson.databind.JsonNode;

/**
 * A client that keeps the whole history of its rooms: continues from its token, pages through the gaps of limited timelines, and
 * starts over when a response does.
 */
final class Member implements Runnable {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration POLL = Duration.ofSeconds(5);
    private static final int TIMELINE = 5;
    private static final int PAGE = 100;

    private final Map<String, List<String>> history = new LinkedHashMap<>();
    private final Map<String, String> read = new LinkedHashMap<>();
    private Session session;
    private String since = "";
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile boolean stopped;

    /** The kind of response to a token from before the restore. */
    enum AnswerKind {
        FRESH,
        CONTINUED
    }

    Member(Session session) {
        this.session = session;
    }

    Session session() {
        return session;
    }

    String userId() {
        return session.userId();
    }

    /** Starts with an initial sync. */
    void begin() throws IOException {
        take(session.sync(SyncQuery.initial().timelineLimit(TIMELINE)), true);
    }

    /** Syncs until stopped. */
    @Override
    public void run() {
        try {
            while (!stopped) {
                look(POLL);
            }
        } catch (IOException e) {
            throw new IllegalStateException(session + " cannot sync", e);
        } finally {
            ended.countDown();
        }
    }

    /** Waits until the client has stopped. */
    void awaitEnd() throws IOException {
        try {
            ended.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    void stop() {
        stopped = true;
    }

    /** Connects the client to the restored server. */
    void reconnect(Http http) {
        session = session.through(http);
    }

    /** Syncs once from the client's token, with retries while the server is unavailable. */
    AnswerKind look(Duration timeout) throws IOException {
        var deadline = Deadline.in(PATIENCE);
        while (true) {
            try {
                return take(session.sync(SyncQuery.since(since).waiting(timeout).timelineLimit(TIMELINE)), false);
            } catch (UnexpectedAnswerException e) {
                if (!e.isPassing() || deadline.passed()) {
                    throw e;
                }
            }
        }
    }

    private AnswerKind take(JsonNode answer, boolean isFirst) throws IOException {
        var joined = answer.path("rooms").path("join");
        boolean isFresh = joined.valueStream().anyMatch(Member::hasCreation);
        if (isFresh) {
            history.clear();
        }
        for (var room : joined.properties()) {
            var timeline = room.getValue().path("timeline");
            var events = history.computeIfAbsent(room.getKey(), _ -> new ArrayList<>());
            if (timeline.path("limited").asBoolean(false)) {
                String to = isFirst || isFresh ? null : since;
                events.addAll(pages(room.getKey(), timeline.path("prev_batch").asString(), to));
            }
            timeline.path("events").forEach(event -> events.add(id(event)));
        }
        since = answer.path("next_batch").asString();
        return isFresh ? AnswerKind.FRESH : AnswerKind.CONTINUED;
    }

    /** A response repeats the creation of a room only when it starts over. */
    private static boolean hasCreation(JsonNode room) {
        return List.of(room.path("state"), room.path("timeline")).stream()
                .flatMap(part -> part.path("events").valueStream())
                .anyMatch(event -> event.path("type").asString().equals("m.room.create"));
    }

    private List<String> pages(String room, String prevBatch, @Nullable String to) throws IOException {
        var events = new ArrayList<String>();
        String from = prevBatch;
        while (true) {
            var page = session.messages(room, "b", from, to, PAGE);
            page.path("chunk").forEach(event -> events.add(id(event)));
            if (!page.has("end")) {
                Collections.reverse(events);
                return events;
            }
            from = page.path("end").asString();
        }
    }

    private static String id(JsonNode event) {
        return event.path("event_id").asString();
    }

    /** Sends receipts for all events so far. */
    void readAll() throws IOException {
        for (var room : history.entrySet()) {
            String last = room.getValue().getLast();
            session.post(Paths.room(room.getKey(), "/receipt/m.read/" + Paths.encoded(last)), Map.of());
            read.put(room.getKey(), last);
        }
    }

    List<String> history(String room) {
        return List.copyOf(history.getOrDefault(room, List.of()));
    }

    /** The event of the last receipt before the backup; empty if none. */
    String read(String room) {
        return read.getOrDefault(room, "");
    }

    /** The server's unread count of a room. */
    long unread(String room) throws IOException {
        return session.sync(SyncQuery.initial().timelineLimit(1).whileUnseen())
                .path("rooms")
                .path("join")
                .path(room)
                .path("unread_notifications")
                .path("notification_count")
                .asLong(-1);
    }
}
