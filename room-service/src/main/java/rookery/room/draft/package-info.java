/** What somebody wants to happen in a room, with the text of its event made before the lock, and what the author is told. */
@NullMarked
package rookery.room.draft;

import org.jspecify.annotations.NullMarked;
