// SPDX-License-Identifier: Apache-2.0
package rookery.sync.unread;

/** A position in the user's shard of the user log. */
public record UserLogPosition(long epoch, long pos) {
    static final UserLogPosition NOTHING = new UserLogPosition(0, 0);
    static final UserLogPosition EVERYTHING = new UserLogPosition(Long.MAX_VALUE, Long.MAX_VALUE);

    boolean isAtLeast(UserLogPosition other) {
        return epoch > other.epoch || (epoch == other.epoch && pos >= other.pos);
    }
}
