/** The follower's side of a log: applies every entry of every shard once and in order, and derives tables. */
@NullMarked
package rookery.platform.log.follow;

import org.jspecify.annotations.NullMarked;
