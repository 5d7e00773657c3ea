/** Reading a room's state and its members, now or as it was. */
@NullMarked
package rookery.room.state;

import org.jspecify.annotations.NullMarked;
