/** The order of everything that happens in rooms: drafts are judged under the shard's lock and become entries. */
@NullMarked
package rookery.room.roomlog;

import org.jspecify.annotations.NullMarked;
