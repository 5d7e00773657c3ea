/** Follows the room log and the user log, and passes pushes to delivery. */
@NullMarked
package rookery.push.inbox;

import org.jspecify.annotations.NullMarked;
