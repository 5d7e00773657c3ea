package rookery.room.media.preview;

import org.jspecify.annotations.Nullable;
import rookery.model.id.MediaId;

/**
 * The preview of a page.
 *
 * @param answer the JSON for clients; null if the page could not be fetched
 * @param picture the stored picture named in the answer
 */
record Preview(@Nullable String answer, @Nullable MediaId picture) {}
