/** The state of connected users in memory, kept current by following both logs. */
@NullMarked
package rookery.sync.inbox;

import org.jspecify.annotations.NullMarked;
