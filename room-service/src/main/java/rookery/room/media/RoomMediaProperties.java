package rookery.room.media;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;
import rookery.model.id.TenantId;

/** Where files are kept, and how many; every key is explained in room-service.yml. */
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
        @DefaultValue Quota quota,
        @DefaultValue Map<Integer, OfTenant> tenants) {
    /**
     * A bucket of a server that speaks S3; none if its name is blank.
     *
     * @param endpoint the server's address; blank for Amazon's of the region
     * @param prefix before the names of all objects
     * @param accessKey blank to look for keys where Amazon's clients do
     * @param pathStyle whether the bucket's name is part of the path, and not of the server's name
     */
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
            return endpoint + "/" + name; // and no keys
        }
    }

    /**
     * What becomes of files whose messages were redacted.
     *
     * @param keepFor how long they stay
     * @param interval how often each instance looks for those whose time has come
     */
    public record RedactedFiles(
            @DefaultValue("7d") Duration keepFor,
            @DefaultValue("1m") Duration interval) {}

    /**
     * What making thumbnails may cost.
     *
     * @param pixelsMax of how many pixels a picture may be
     * @param memoryMax how much all that are made at a time may take, on the heap and beside it; none takes more
     * @param unreadSizeMax up to which size a picture that we cannot read, such as a WebP, stands for its thumbnail
     */
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

    /**
     * How much may be uploaded; 0: no limit.
     *
     * @param user by each user
     * @param tenant by all users of a tenant
     */
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

    /**
     * The settings of one tenant; null for the general one.
     *
     * @param user as of {@link Quota}; 5 GB where only the other quota is set
     * @param tenant as of {@link Quota}; no limit where only the other quota is set
     */
    record OfTenant(
            @Nullable DataSize user,
            @Nullable DataSize tenant,
            @Nullable Boolean servesWithoutToken) {
        private Quota quota(Quota general) {
            return user == null && tenant == null
                    ? general
                    : new Quota(
                            user == null ? DataSize.ofGigabytes(5) : user,
                            tenant == null ? DataSize.ofBytes(0) : tenant);
        }
    }

    private static final OfTenant GENERAL = new OfTenant(null, null, null);

    Quota quota(TenantId tenant) {
        return of(tenant).quota(quota);
    }

    /** Whether files of the tenant are for everybody who knows their ids (contract.md 13.4). */
    public boolean servesWithoutToken(TenantId tenant) {
        var own = of(tenant).servesWithoutToken;
        return own == null ? servesWithoutToken : own;
    }

    private OfTenant of(TenantId tenant) {
        return tenants.getOrDefault(tenant.value(), GENERAL);
    }
}
