// SPDX-License-Identifier: Apache-2.0
package rookery.room.transaction;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Assigns transaction ids to buckets, and determines when a bucket is emptied. Pure. Time is divided into turns of 12 hours; turn
 * n uses bucket n modulo 4. In the middle of a turn the bucket of the next turn is emptied: its rows are older than 24 hours, and
 * the clocks of instances may differ by hours before a row is lost.
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

    /** A bucket to empty before its turn. */
    record BucketTurn(short bucket, long turn) {}

    /** The bucket to empty now; null near the beginning and the end of a turn. */
    static @Nullable BucketTurn due(long nowMillis) {
        long into = nowMillis % TURN_MILLIS;
        boolean isMiddle = into >= MARGIN_MILLIS && into < TURN_MILLIS - MARGIN_MILLIS;
        long next = nowMillis / TURN_MILLIS + 1;
        return isMiddle ? new BucketTurn(bucketOf(next), next) : null;
    }
}
