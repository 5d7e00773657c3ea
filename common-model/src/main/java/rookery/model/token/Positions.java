// SPDX-License-Identifier: Apache-2.0
package rookery.model.token;

import java.util.Arrays;
import java.util.function.LongBinaryOperator;

/** A position in every shard of a log; immutable. */
public final class Positions {
    private final long[] byShard;

    private Positions(long[] byShard) {
        this.byShard = byShard;
    }

    public static Positions of(long... byShard) {
        return new Positions(byShard.clone());
    }

    /** The positions before the first entry. */
    public static Positions zero(int shards) {
        return new Positions(new long[shards]);
    }

    public int shards() {
        return byShard.length;
    }

    public long at(int shard) {
        return byShard[shard];
    }

    public Positions with(int shard, long pos) {
        long[] changed = byShard.clone();
        changed[shard] = pos;
        return new Positions(changed);
    }

    /** The greater position in each shard. */
    public Positions max(Positions other) {
        return merged(other, Math::max);
    }

    /** The smaller position in each shard. */
    public Positions min(Positions other) {
        return merged(other, Math::min);
    }

    /** Subtracts the number of entries from each position, down to 0. */
    public Positions minus(long entries) {
        return merged(this, (pos, _) -> Math.max(0, pos - entries));
    }

    public boolean isAtLeast(Positions other) {
        for (int shard = 0; shard < byShard.length; shard++) {
            if (byShard[shard] < other.byShard[shard]) {
                return false;
            }
        }
        return true;
    }

    public long[] toArray() {
        return byShard.clone();
    }

    private Positions merged(Positions other, LongBinaryOperator which) {
        long[] merged = new long[byShard.length];
        for (int shard = 0; shard < merged.length; shard++) {
            merged[shard] = which.applyAsLong(byShard[shard], other.byShard[shard]);
        }
        return new Positions(merged);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Positions positions && Arrays.equals(byShard, positions.byShard);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(byShard);
    }

    @Override
    public String toString() {
        return Arrays.toString(byShard);
    }
}
