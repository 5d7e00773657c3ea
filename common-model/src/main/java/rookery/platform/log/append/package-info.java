/** The owner's side of a log: appends entries to shards, manages epochs, and serves followers. */
@NullMarked
package rookery.platform.log.append;

import org.jspecify.annotations.NullMarked;
