/** Making rooms, and what other services ask about them. */
@NullMarked
package rookery.room.room;

import org.jspecify.annotations.NullMarked;
