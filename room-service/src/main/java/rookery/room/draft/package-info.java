/** Requested changes of rooms, with the event text made before the lock, and the answers to them. */
@NullMarked
package rookery.room.draft;

import org.jspecify.annotations.NullMarked;
