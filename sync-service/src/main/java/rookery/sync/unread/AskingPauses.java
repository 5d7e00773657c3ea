// SPDX-License-Identifier: Apache-2.0
package rookery.sync.unread;

/** The pauses between calls to push-service: none before the first call of a doubt, then doubling. */
final class AskingPauses {
    private static final long FIRST_NANOS = 100_000_000;
    private static final int DOUBLINGS_MAX = 5;

    private int calls;
    private long endNanos;

    /** A call begins, and the next pause starts. Times are of {@link System#nanoTime}. */
    void begin(long nanos) {
        endNanos = nanos + (FIRST_NANOS << Math.min(calls, DOUBLINGS_MAX));
        calls++;
    }

    boolean areOver(long nanos) {
        return calls == 0 || endNanos - nanos <= 0;
    }

    void reset() {
        calls = 0;
    }
}
