/**
 * Uploaded files and their thumbnails (contract.md 13.4, decision 0016). The package depends on nothing of rooms, so separate
 * instances can serve media.
 */
@NullMarked
package rookery.room.media;

import org.jspecify.annotations.NullMarked;
