package rookery.room.media;

import org.jspecify.annotations.Nullable;
import rookery.model.id.UserId;

/** What an id of media stands for (contract.md 14). */
public sealed interface MediaFile {
    /** Nothing was uploaded yet, and only this user may, until then. */
    record Reserved(UserId uploader, long unusedUntilMillis) implements MediaFile {}

    /**
     * An uploaded file.
     *
     * @param size in bytes
     * @param type as {@link ContentType} says
     * @param name as its uploader called it, or null
     */
    record Stored(
            ContentHash hash,
            long size,
            String type,
            @Nullable String name) implements MediaFile {}
}
