package rookery.sync.ring;

import java.util.concurrent.atomic.AtomicLong;

/** How many bytes the rings of a node hold together, and may. Each ring is bounded by itself, but rooms are many. */
public final class RingBudget {
    private final long bytesMax;
    private final AtomicLong held = new AtomicLong();

    public RingBudget(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    public long bytesMax() {
        return bytesMax;
    }

    /** What is held now, in bytes, about. */
    public long held() {
        return held.get();
    }

    public boolean isExceeded() {
        return held.get() > bytesMax;
    }

    Share share() {
        return new Share();
    }

    /** What one ring holds of it. */
    final class Share {
        private long bytes;
        private boolean closed;

        /** It holds so many bytes by now. */
        synchronized void hold(long now) {
            if (!closed) {
                held.addAndGet(now - bytes);
                bytes = now;
            }
        }

        /** What a closed ring still holds is garbage soon. */
        synchronized void close() {
            hold(0);
            closed = true;
        }
    }
}
