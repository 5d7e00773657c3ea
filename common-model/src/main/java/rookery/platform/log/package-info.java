/** The log: appending to shards, publishing, and following without missing anything. */
@NullMarked
package rookery.platform.log;

import org.jspecify.annotations.NullMarked;
