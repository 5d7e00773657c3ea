/** Follows the room log and the user log. */
@NullMarked
package rookery.directory.inbox;

import org.jspecify.annotations.NullMarked;
