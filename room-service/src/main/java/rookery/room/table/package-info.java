/** Tables that the room log writes and other packages read, and the records of their rows. Independent of drafts and verdicts. */
@NullMarked
package rookery.room.table;

import org.jspecify.annotations.NullMarked;
