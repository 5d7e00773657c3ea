/** Room-service: rooms, their events and their media. */
@NullMarked
package rookery.room;

import org.jspecify.annotations.NullMarked;
