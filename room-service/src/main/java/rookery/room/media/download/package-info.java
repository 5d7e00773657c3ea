/** Serves files: whole, in ranges, or as thumbnails, which are made once and stored like files (contract.md 13.4). */
@NullMarked
package rookery.room.media.download;

import org.jspecify.annotations.NullMarked;
