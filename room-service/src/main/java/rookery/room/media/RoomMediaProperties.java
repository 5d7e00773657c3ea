// SPDX-License-Identifier: Apache-2.0
package rookery.room.media;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/** Settings of uploaded files: storage, quotas, thumbnails. The keys are explained in room-service.yml. */
@ConfigurationProperties("rookery.room.media")
public record RoomMediaProperties(
        @DefaultValue("") String folder,
        @DefaultValue Bucket bucket,
        @DefaultValue("false") boolean servesWithoutToken,
        @DefaultValue("60s") Duration silenceMax,
        @DefaultValue("24h") Duration reservationLife,
        @DefaultValue("10") int reservationsMax,
        @DefaultValue("1h") Duration sweepInterval,
        @DefaultValue RedactedFiles redacted,
        @DefaultValue Thumbnail thumbnail,
        @DefaultValue Quota quota) {
    /** A bucket of an S3 server; a blank name means no bucket. */
    record Bucket(
            @DefaultValue("") String name,
            @DefaultValue("") String endpoint,
            @DefaultValue("us-east-1") String region,
            @DefaultValue("") String prefix,
            @DefaultValue("") String accessKey,
            @DefaultValue("") String secretKey,
            @DefaultValue("true") boolean pathStyle) {
        @Override
        public String toString() {
            return endpoint + "/" + name; // without the keys
        }
    }

    /** Files of redacted messages. */
    public record RedactedFiles(
            @DefaultValue("7d") Duration keepFor,
            @DefaultValue("1m") Duration interval) {}

    /** Limits of making thumbnails. */
    public record Thumbnail(
            @DefaultValue("64000000") long pixelsMax,
            @DefaultValue("96MB") DataSize memoryMax,
            @DefaultValue("2") int threads,
            @DefaultValue("50") int waitingMax,
            @DefaultValue("10s") Duration timeout,
            @DefaultValue("1MB") DataSize unreadSizeMax) {
        private static final DataSize MEMORY_MIN = DataSize.ofMegabytes(32);
        private static final DataSize MEMORY_MAX = DataSize.ofGigabytes(64);

        public Thumbnail {
            if (memoryMax.compareTo(MEMORY_MIN) < 0 || memoryMax.compareTo(MEMORY_MAX) > 0) {
                throw new IllegalArgumentException(
                        "rookery.room.media.thumbnail.memory-max: set a size from 32MB, which the thumbnail of a photo"
                                + " takes, to 64GB");
            }
        }
    }

    /** Limits of uploaded bytes, for each user and for all users of a tenant together; 0 for no limit. */
    record Quota(
            @DefaultValue("5GB") DataSize user,
            @DefaultValue("0") DataSize tenant) {
        Quota {
            if (user.isNegative() || tenant.isNegative()) {
                throw new IllegalArgumentException(
                        "rookery.room.media.quota: set sizes such as 5GB, or 0 for no limit");
            }
        }

        long userBytes() {
            return bytes(user);
        }

        long tenantBytes() {
            return bytes(tenant);
        }

        private static long bytes(DataSize size) {
            return size.toBytes() == 0 ? Long.MAX_VALUE : size.toBytes();
        }
    }
}
