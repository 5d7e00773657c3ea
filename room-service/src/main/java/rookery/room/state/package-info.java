/** State and members of a room, now or at an earlier position. */
@NullMarked
package rookery.room.state;

import org.jspecify.annotations.NullMarked;
