// SPDX-License-Identifier: Apache-2.0
package rookery.platform.log.follow;

/** A follower cannot derive one unit of a shard although its database answers. */
final class UnitFailedException extends RuntimeException {
    /** The follower's position before the unit. */
    final long reached;

    UnitFailedException(long reached, Throwable cause) {
        super("the unit after position " + reached + " cannot be derived", cause);
        this.reached = reached;
    }
}
