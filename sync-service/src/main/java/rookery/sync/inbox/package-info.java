/** What this node knows of its connected users, kept current by following both logs. */
@NullMarked
package rookery.sync.inbox;

import org.jspecify.annotations.NullMarked;
