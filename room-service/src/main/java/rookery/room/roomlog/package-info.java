/** The log of rooms: drafts are judged under the shard's lock and become log entries. */
@NullMarked
package rookery.room.roomlog;

import org.jspecify.annotations.NullMarked;
