// SPDX-License-Identifier: Apache-2.0
package rookery.sync.ring;

import java.util.concurrent.atomic.AtomicLong;

/** The memory of all rings of a node, and its limit. Each ring has a limit of its own, but the number of rooms is unbounded. */
public final class RingBudget {
    private final long bytesMax;
    private final AtomicLong used = new AtomicLong();

    public RingBudget(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    public long bytesMax() {
        return bytesMax;
    }

    /** The approximate bytes in use. */
    public long used() {
        return used.get();
    }

    public boolean isExceeded() {
        return used.get() > bytesMax;
    }

    Share share() {
        return new Share();
    }

    /** The part of one ring. */
    final class Share {
        private long bytes;
        private boolean closed;

        /** Sets the ring's current size. */
        synchronized void resize(long size) {
            if (!closed) {
                used.addAndGet(size - bytes);
                bytes = size;
            }
        }

        /** Releases the part; later sizes do not count. */
        synchronized void close() {
            resize(0);
            closed = true;
        }
    }
}
