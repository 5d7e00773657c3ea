/** Creating rooms, and facts about rooms for other services. */
@NullMarked
package rookery.room.room;

import org.jspecify.annotations.NullMarked;
