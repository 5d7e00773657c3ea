/**
 * Previews of URLs (contract.md 13.4): untrusted pages are fetched and read; answers and pictures are kept for a limited time.
 */
@NullMarked
package rookery.room.media.preview;

import org.jspecify.annotations.NullMarked;
