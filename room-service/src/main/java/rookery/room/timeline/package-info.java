/** Reading a room's events, as far as visible to the reader. */
@NullMarked
package rookery.room.timeline;

import org.jspecify.annotations.NullMarked;
