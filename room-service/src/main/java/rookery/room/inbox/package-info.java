/** The consumer of the user log: copies of profiles and ignore lists, and queues of changes for the rooms. */
@NullMarked
package rookery.room.inbox;

import org.jspecify.annotations.NullMarked;
