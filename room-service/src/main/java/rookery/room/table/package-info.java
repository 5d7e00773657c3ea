/** Tables that the log of rooms writes and others read as well, and the shapes of their rows; they know nothing of drafts and verdicts. */
@NullMarked
package rookery.room.table;

import org.jspecify.annotations.NullMarked;
