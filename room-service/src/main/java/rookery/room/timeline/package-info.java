/** Reading a room's events, as far as the reader may see them. */
@NullMarked
package rookery.room.timeline;

import org.jspecify.annotations.NullMarked;
