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
     * @param type what its bytes say that it is, as {@link ContentType} has it
     * @param declaredType as its uploader declared it; null where nothing was declared, or nothing that is well-formed
     * @param name as its uploader called it, or null
     */
    record Stored(
            ContentHash hash,
            long size,
            String type,
            @Nullable String declaredType,
            @Nullable String name) implements MediaFile {
        /** The content type that it is downloaded with. */
        public String servedType() {
            return declaredType == null ? type : declaredType;
        }

        /** Whether a browser may show it in the place of a page: neither its bytes nor what they are called must be run. */
        public boolean isShown() {
            return ContentType.isShown(type) && ContentType.isShown(servedType());
        }

        public Stored named(@Nullable String other) {
            return new Stored(hash, size, type, declaredType, other);
        }

        /** The same file as a thumbnail, whose content type is that of its bytes. */
        public Stored asThumbnail() {
            return new Stored(hash, size, type, null, name);
        }
    }
}
