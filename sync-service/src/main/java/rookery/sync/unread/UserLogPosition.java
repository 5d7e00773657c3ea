package rookery.sync.unread;

/** How much of the user log somebody has heard of. */
public record UserLogPosition(long epoch, long pos) {
    static final UserLogPosition NOTHING = new UserLogPosition(0, 0);
    static final UserLogPosition EVERYTHING = new UserLogPosition(Long.MAX_VALUE, Long.MAX_VALUE);

    boolean isAtLeast(UserLogPosition other) {
        return epoch > other.epoch || (epoch == other.epoch && pos >= other.pos);
    }
}
