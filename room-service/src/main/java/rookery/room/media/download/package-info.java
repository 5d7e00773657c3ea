/** Giving files out: whole, in part, or as thumbnails, which are made once and kept as files are (contract.md 13.4). */
@NullMarked
package rookery.room.media.download;

import org.jspecify.annotations.NullMarked;
