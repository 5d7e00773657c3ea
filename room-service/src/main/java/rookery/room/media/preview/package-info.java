/** Previews of URLs (contract.md 13.4): pages of strangers are fetched, read, and kept for a time with their pictures. */
@NullMarked
package rookery.room.media.preview;

import org.jspecify.annotations.NullMarked;
