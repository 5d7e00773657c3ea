/**
 * Files that users upload, and their thumbnails (contract.md 13.4, decision 0016). It knows nothing of rooms, so that instances of
 * their own can serve it.
 */
@NullMarked
package rookery.room.media;

import org.jspecify.annotations.NullMarked;
