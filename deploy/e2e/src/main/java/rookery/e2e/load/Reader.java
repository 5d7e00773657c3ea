// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.load;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import rookery.e2e.api.Gap;
import rookery.e2e.api.Session;
import rookery.e2e.api.SyncQuery;
import rookery.e2e.api.UnexpectedAnswerException;
import rookery.e2e.checking.ReceivedEvent;
import tools.jackson.databind.JsonNode;

/** A client's chain of syncs. Records every received event, and pages through the gaps of limited timelines. */
final class Reader implements Runnable {
    private static final Duration PAUSE = Duration.ofMillis(200);
    private static final int PAGE = 100;

    private final Session session;
    private final Recorder recorder;
    private final Duration timeout;
    private final int timelineLimit;

    private String since = "";
    private volatile boolean stopped;

    /**
     * Starts the chain with an initial sync, which is not recorded.
     *
     * @param timelineLimit a low limit causes many gaps
     */
    Reader(Session session, Recorder recorder, Duration timeout, int timelineLimit) throws IOException {
        this.session = session;
        this.recorder = recorder;
        this.timeout = timeout;
        this.timelineLimit = timelineLimit;
        this.since = session.sync(SyncQuery.initial()).path("next_batch").asString();
    }

    @Override
    public void run() {
        while (!stopped) {
            try {
                poll();
            } catch (IOException _) {
                pause(); // after a kill or a restart: retry with the same token
            } catch (UnexpectedAnswerException e) {
                if (!e.isPassing()) {
                    recorder.trouble("%s stopped reading: %s".formatted(session, e.getMessage()));
                    return;
                }
                pause();
            } catch (RuntimeException e) {
                recorder.trouble("%s stopped reading: %s".formatted(session, e));
                return;
            }
        }
    }

    void stop() {
        stopped = true;
    }

    private void poll() throws IOException {
        var query = SyncQuery.since(since).waiting(timeout).timelineLimit(timelineLimit);
        var answer = session.sync(query);
        long atNanos = System.nanoTime();
        var events = new ArrayList<ReceivedEvent>();
        for (var room : answer.path("rooms").path("join").properties()) {
            var gap = Gap.in(room.getValue(), room.getKey(), since);
            if (gap != null) {
                addAll(events, room.getKey(), gap.events(session, PAGE), atNanos);
            }
            var timeline = room.getValue().path("timeline").path("events");
            addAll(events, room.getKey(), timeline.valueStream().toList(), atNanos);
        }
        recorder.received(events);
        since = answer.path("next_batch").asString();
    }

    private void addAll(List<ReceivedEvent> all, String room, List<JsonNode> events, long atNanos) {
        for (var event : events) {
            all.add(new ReceivedEvent(
                    session.userId(), room, event.path("event_id").asString(), tag(event), atNanos));
        }
    }

    private static @Nullable String tag(JsonNode event) {
        var tag = event.path("content").path(Sender.TAG);
        return tag.isString() ? tag.asString() : null;
    }

    private static void pause() {
        LockSupport.parkNanos(PAUSE.toNanos());
    }
}
