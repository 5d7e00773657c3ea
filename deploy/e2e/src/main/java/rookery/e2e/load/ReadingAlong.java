// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.load;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import rookery.e2e.api.Paths;
import rookery.e2e.api.Session;
import rookery.e2e.api.UnexpectedAnswerException;

/**
 * Members who send receipts and typing notifications beside another load: receipts take positions between messages, and their
 * entries are deleted when superseded.
 */
public final class ReadingAlong implements Runnable {
    private static final Duration PAUSE = Duration.ofMillis(50);

    private final Crowd crowd;
    private final Runnable beside;
    private volatile boolean stopped;
    private volatile @Nullable RuntimeException failure;
    private final AtomicInteger receipts = new AtomicInteger();

    private ReadingAlong(Crowd crowd, Runnable beside) {
        this.crowd = crowd;
        this.beside = beside;
    }

    /** Runs until the other load ends and every user has sent receipts twice in each room. */
    public static ReadingAlong beside(Crowd crowd, Runnable other) {
        return new ReadingAlong(crowd, other);
    }

    /** Runs until every user has sent receipts twice in each room. */
    public static ReadingAlong twice(Crowd crowd) {
        return new ReadingAlong(crowd, () -> {});
    }

    /** The number of accepted receipts. */
    public int receipts() {
        return receipts.get();
    }

    /** Runs the load; fails after a refusal that kills do not excuse. */
    @Override
    public void run() {
        var reading = Thread.ofVirtual().start(this::readOn);
        try {
            beside.run();
        } finally {
            stopped = true;
        }
        try {
            reading.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        var failed = failure;
        if (failed != null) {
            throw failed;
        }
    }

    private void readOn() {
        for (int turn = 0; (!stopped || turn < leastTurns()) && failure == null; turn++) {
            for (var circle : crowd.circles()) {
                var person = circle.people().get(turn % circle.people().size());
                circle.rooms().forEach(room -> tryRead(person, room));
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }

    private int leastTurns() {
        return crowd.circles().stream()
                .mapToInt(circle -> 2 * circle.people().size())
                .max()
                .orElse(0);
    }

    private void tryRead(Session person, String room) {
        try {
            read(person, room);
        } catch (IOException _) {
            // after a kill or a restart: other users continue
        } catch (UnexpectedAnswerException e) {
            if (!e.isPassing()) {
                failure = e;
            }
        }
    }

    private void read(Session person, String room) throws IOException {
        var newest = person.messages(room, "b", null, null, 1).path("chunk").path(0);
        var event = newest.path("event_id").asString("");
        if (!event.isEmpty()) {
            person.post(Paths.room(room, "/read_markers"), Map.of("m.read", event, "m.read.private", event));
            receipts.incrementAndGet();
        }
        var typing = Paths.room(room, "/typing/" + Paths.encoded(person.userId()));
        person.put(typing, Map.of("typing", true, "timeout", 1000));
    }
}
