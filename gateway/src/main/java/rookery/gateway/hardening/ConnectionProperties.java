// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.hardening;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;
import rookery.platform.http.MediaProperties;

/** Limits of connections; gateway.yml explains the keys. */
@ConfigurationProperties("rookery.connection")
public record ConnectionProperties(
        @DefaultValue("10s") Duration firstHeaders,
        @DefaultValue("60s") Duration idle,
        @DefaultValue("60s") Duration body,
        @DefaultValue("32KB") DataSize uploadRate,
        @DefaultValue("0") DataSize bodies,
        @DefaultValue("1000") int perAddress,
        @DefaultValue("0") int most,
        @DefaultValue("30s") Duration writeMax,
        @DefaultValue("64KB") DataSize writeMin,
        @DefaultValue({"127.0.0.0/8", "::1"}) List<String> unlimited) {
    /**
     * Descriptors of one request: one for the client, one for the service, and in one JVM one or two for the service's own
     * connections.
     */
    private static final int DESCRIPTORS_EACH = 4;

    private static final long NANOS = TimeUnit.SECONDS.toNanos(1);

    public ConnectionProperties {
        if (uploadRate.toBytes() < 1) {
            throw new IllegalArgumentException("rookery.connection.upload-rate: set bytes for a second, such as 32KB");
        }
        if (perAddress < 1 || most < 0) {
            throw new IllegalArgumentException(
                    "rookery.connection: set per-address to at least 1, and most to 0 or to at least 1");
        }
        if (writeMax.toMillis() < 1) {
            throw new IllegalArgumentException("rookery.connection.write-max: set a time, such as 30s");
        }
    }

    /** The total limit of connections: {@link #most}, or a quarter of the process's file descriptors if {@code most} is 0. */
    int ofAllMax() {
        if (most > 0) {
            return most;
        }
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
                ? (int) Math.min(Integer.MAX_VALUE, system.getMaxFileDescriptorCount() / DESCRIPTORS_EACH)
                : Integer.MAX_VALUE;
    }

    /** The time, in nanoseconds, that this many bytes of an upload add to the deadline. */
    long uploadNanos(long bytes) {
        return (long) ((double) bytes / uploadRate.toBytes() * NANOS);
    }

    /** The duration of the slowest permitted upload of the maximum size. */
    public Duration longestUpload(MediaProperties media) {
        return body.plusNanos(uploadNanos(media.sizeMax().toBytes()));
    }
}
