// SPDX-License-Identifier: Apache-2.0
package rookery.sync.testing;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import rookery.model.id.DeviceId;
import rookery.model.id.RoomId;
import rookery.model.id.UserId;

/** A client that polls in a loop, each time with the last token, and records its answers. */
public final class Reader {
    private static final String FILTER =
            URLEncoder.encode("{\"room\":{\"timeline\":{\"limit\":100}}}", StandardCharsets.UTF_8);

    private static final Duration PAUSE = Duration.ofMillis(10);

    private final UserId user;
    private final Supplier<SyncNode> nodes;
    private final Map<String, List<String>> told = new ConcurrentHashMap<>();
    private final List<String> troubles = new CopyOnWriteArrayList<>();
    private final AtomicInteger answers = new AtomicInteger();
    private volatile boolean stopped;

    /** Starts with an initial sync, which is not recorded; ends with its {@link World}. */
    Reader(UserId user, Supplier<SyncNode> nodes) {
        this.user = user;
        this.nodes = nodes;
        var first =
                nodes.get().get(user, "/_api/client/v3/sync?filter=" + FILTER).nextBatch();
        Thread.ofVirtual().start(() -> read(first));
    }

    private void read(String first) {
        String since = first;
        while (!stopped) {
            String path = "/_api/client/v3/sync?timeout=500&filter=" + FILTER + "&since=" + since;
            try {
                var answer = nodes.get().getAsync(user, new DeviceId("D"), path).join();
                answers.incrementAndGet();
                if (answer.status() == 200) {
                    write(answer);
                    since = answer.nextBatch();
                } else if (answer.status() != 503) {
                    troubles.add(answer.toString());
                }
            } catch (RuntimeException e) {
                LockSupport.parkNanos(PAUSE.toNanos()); // the node is gone: repeat the request to another node
            }
        }
    }

    private void write(Answer answer) {
        var rooms = answer.json().path("rooms").path("join");
        for (var room : rooms.propertyNames()) {
            var timeline = rooms.path(room).path("timeline");
            if (timeline.path("limited").asBoolean(false)) {
                troubles.add("a gap in " + room);
            }
            told.computeIfAbsent(room, _ -> new CopyOnWriteArrayList<>()).addAll(Answer.names(timeline.path("events")));
        }
    }

    public List<String> told(RoomId room) {
        return told.getOrDefault(room.value(), List.of());
    }

    public List<String> troubles() {
        return troubles;
    }

    /** The number of events received. */
    public int count() {
        return told.values().stream().mapToInt(List::size).sum();
    }

    /** Stops after two more answers. */
    public void pollTwiceMore() {
        int now = answers.get();
        SyncNode.until(() -> answers.get() >= now + 2);
        stop();
    }

    void stop() {
        stopped = true;
    }
}
