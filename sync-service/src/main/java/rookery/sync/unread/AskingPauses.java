package rookery.sync.unread;

/** The pauses between calls to push-service: none before the first call of a doubt, then doubling. */
final class AskingPauses {
    private static final long FIRST_NANOS = 100_000_000;
    private static final int DOUBLINGS_MAX = 5;

    private int asked;
    private long endNanos;

    /** A call begins, and the next pause starts. Times are of {@link System#nanoTime}. */
    void begin(long nanos) {
        endNanos = nanos + (FIRST_NANOS << Math.min(asked, DOUBLINGS_MAX));
        asked++;
    }

    boolean areOver(long nanos) {
        return asked == 0 || endNanos - nanos <= 0;
    }

    void reset() {
        asked = 0;
    }
}
