// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.restore;

import java.io.IOException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import rookery.e2e.api.Session;
import rookery.e2e.api.UnexpectedAnswerException;

/** Users of a tenant who send messages to their rooms in turn until the end. */
final class Chatter implements AutoCloseable {
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Queue<String> accepted = new ConcurrentLinkedQueue<>();
    private final long pauseNanos;
    private volatile boolean stopped;

    /** @param perSecond messages of all users together */
    Chatter(List<Session> speakers, List<String> rooms, double perSecond) {
        this.pauseNanos = (long) (speakers.size() * TimeUnit.SECONDS.toNanos(1) / perSecond);
        for (var speaker : speakers) {
            threads.execute(() -> speak(speaker, rooms));
        }
    }

    private void speak(Session speaker, List<String> rooms) {
        for (int turn = 0; !stopped; turn++) {
            try {
                accepted.add(speaker.say(rooms.get(turn % rooms.size()), "message " + turn));
            } catch (IOException | UnexpectedAnswerException _) {
                // failed messages are not promised
            }
            LockSupport.parkNanos(pauseNanos);
        }
    }

    /** The ids of all accepted events so far. */
    List<String> accepted() {
        return List.copyOf(accepted);
    }

    /** Returns when all users have stopped. */
    @Override
    public void close() {
        stopped = true;
        threads.close();
    }
}
