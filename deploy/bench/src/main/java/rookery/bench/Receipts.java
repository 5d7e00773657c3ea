// SPDX-License-Identifier: Apache-2.0
package rookery.bench;

import java.security.SecureRandom;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;

/** Sends a receipt some time after a message arrived, at most one a second for each reader and room, for the newest message. */
final class Receipts {
    private static final long BETWEEN_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long SOONEST_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private final ExecutorService threads;
    private final Sending sending;
    private final Map<Place, Unread> unread = new ConcurrentHashMap<>();

    interface Sending {
        void send(WebUser reader, String room, String eventId);
    }

    private static final RandomGenerator RANDOM = new SecureRandom();

    private record Place(WebUser reader, String room) {}

    /** The newest message without a receipt. */
    private static final class Unread {
        private String eventId = "";
        private boolean scheduled;
        private long sentNanos = System.nanoTime() - BETWEEN_NANOS;

        /** Returns the nanoseconds until the receipt is due; negative when a receipt is scheduled already. */
        synchronized long arrived(String newest) {
            eventId = newest;
            if (scheduled) {
                return -1;
            }
            scheduled = true;
            long pause = RANDOM.nextLong(SOONEST_NANOS, BETWEEN_NANOS);
            return Math.max(pause, sentNanos + BETWEEN_NANOS - System.nanoTime());
        }

        synchronized String taken() {
            scheduled = false;
            sentNanos = System.nanoTime();
            return eventId;
        }
    }

    Receipts(ExecutorService threads, Sending sending) {
        this.threads = threads;
        this.sending = sending;
    }

    void read(WebUser reader, String room, String eventId) {
        var newest = unread.computeIfAbsent(new Place(reader, room), _ -> new Unread());
        long nanos = newest.arrived(eventId);
        if (nanos < 0) {
            return;
        }
        try {
            threads.execute(() -> {
                LockSupport.parkNanos(nanos);
                sending.send(reader, room, newest.taken());
            });
        } catch (RejectedExecutionException _) {
            // the measurement has ended
        }
    }
}
