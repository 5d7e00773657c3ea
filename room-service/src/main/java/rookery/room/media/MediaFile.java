// SPDX-License-Identifier: Apache-2.0
package rookery.room.media;

import org.jspecify.annotations.Nullable;
import rookery.model.id.UserId;

/** The state of a media id: reserved or uploaded (contract.md 14). */
public sealed interface MediaFile {
    /** A reserved id without a file. Until {@code unusedUntilMillis} only the uploader may upload to the id. */
    record Reserved(UserId uploader, long unusedUntilMillis) implements MediaFile {}

    /**
     * An uploaded file: size in bytes, type as {@link ContentType} detects it, and the uploader's well-formed content type and
     * name, or null.
     */
    record Stored(
            ContentHash hash,
            long size,
            String type,
            @Nullable String declaredType,
            @Nullable String name) implements MediaFile {
        /** The content type of downloads. */
        public String servedType() {
            return declaredType == null ? type : declaredType;
        }

        /** Whether a browser may show the file inline: neither the detected nor the declared type may run code. */
        public boolean isShown() {
            return ContentType.isShown(type) && ContentType.isShown(servedType());
        }

        public Stored named(@Nullable String other) {
            return new Stored(hash, size, type, declaredType, other);
        }

        /** The same file as a thumbnail, served with the detected type. */
        public Stored asThumbnail() {
            return new Stored(hash, size, type, null, name);
        }
    }
}
