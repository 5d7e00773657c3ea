package rookery.platform.log.follow;

/** A follower cannot derive what one unit of a shard tells, though its database answers. */
final class UnitFailedException extends RuntimeException {
    /** Up to where the follower came before. */
    final long reached;

    UnitFailedException(long reached, Throwable cause) {
        super("the unit after position " + reached + " cannot be derived", cause);
        this.reached = reached;
    }
}
