package rookery.room.transaction;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Which bucket takes a transaction id, and which one may be emptied when. Pure.
 *
 * <p>Time is cut into turns of 12 hours; turn n uses bucket n modulo 4. In the middle of a turn the bucket of the next one is
 * emptied: what is in it is older than 24 hours, and the clocks of instances may differ by hours before anything is lost.
 */
final class TransactionBuckets {
    static final int COUNT = 4;
    private static final long TURN_MILLIS = Duration.ofHours(12).toMillis();
    private static final long MARGIN_MILLIS = Duration.ofHours(2).toMillis();

    private TransactionBuckets() {}

    static short bucket(long nowMillis) {
        return bucketOf(nowMillis / TURN_MILLIS);
    }

    private static short bucketOf(long turn) {
        return (short) (turn % COUNT);
    }

    /** A bucket that is to be empty when its turn comes. */
    record BucketTurn(short bucket, long turn) {}

    /** Null while a turn has just begun or is about to end. */
    static @Nullable BucketTurn due(long nowMillis) {
        long into = nowMillis % TURN_MILLIS;
        boolean isMiddle = into >= MARGIN_MILLIS && into < TURN_MILLIS - MARGIN_MILLIS;
        long next = nowMillis / TURN_MILLIS + 1;
        return isMiddle ? new BucketTurn(bucketOf(next), next) : null;
    }
}
