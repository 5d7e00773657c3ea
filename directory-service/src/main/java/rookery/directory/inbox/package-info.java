/** What the room log tells this service. */
@NullMarked
package rookery.directory.inbox;

import org.jspecify.annotations.NullMarked;
