/** The follower's side of a log: reads every entry of every shard exactly once, in order, and derives tables. */
@NullMarked
package rookery.platform.log.follow;

import org.jspecify.annotations.NullMarked;
