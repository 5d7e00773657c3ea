package rookery.sync.ring;

import java.util.concurrent.atomic.AtomicLong;

/** The memory of all rings of a node, and its limit. Each ring has a limit of its own, but the number of rooms is unbounded. */
public final class RingBudget {
    private final long bytesMax;
    private final AtomicLong held = new AtomicLong();

    public RingBudget(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    public long bytesMax() {
        return bytesMax;
    }

    /** The approximate bytes in use. */
    public long held() {
        return held.get();
    }

    public boolean isExceeded() {
        return held.get() > bytesMax;
    }

    Share share() {
        return new Share();
    }

    /** The part of one ring. */
    final class Share {
        private long bytes;
        private boolean closed;

        /** Sets the ring's current size. */
        synchronized void hold(long now) {
            if (!closed) {
                held.addAndGet(now - bytes);
                bytes = now;
            }
        }

        /** Releases the part; later sizes do not count. */
        synchronized void close() {
            hold(0);
            closed = true;
        }
    }
}
