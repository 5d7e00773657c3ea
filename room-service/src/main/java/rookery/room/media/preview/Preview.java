package rookery.room.media.preview;

import org.jspecify.annotations.Nullable;
import rookery.model.id.MediaId;

/**
 * The preview of a page.
 *
 * @param answer what clients get, as JSON; null where the page could not be fetched
 * @param picture the file that the answer names as its picture
 */
record Preview(@Nullable String answer, @Nullable MediaId picture) {}
