// SPDX-License-Identifier: Apache-2.0
package rookery.room.media.preview;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/** Settings of URL previews. The keys are explained in room-service.yml. */
@ConfigurationProperties("rookery.room.media.preview")
record PreviewProperties(
        @DefaultValue("false") boolean enabled,
        @DefaultValue("512KB") DataSize pageMax,
        @DefaultValue("5MB") DataSize pictureMax,
        @DefaultValue("500MB") DataSize picturesMax,
        @DefaultValue("10s") Duration timeout,
        @DefaultValue("24h") Duration keepFor,
        @DefaultValue("8") int atOnce,
        @DefaultValue("2") int ofUserAtOnce,
        @DefaultValue({"80", "443"}) Set<Integer> ports,
        @DefaultValue List<String> deniedHosts,
        @DefaultValue("10m") Duration interval,
        @DefaultValue("false") boolean allowPrivate) {
    private static final DataSize PAGE_MAX = DataSize.ofMegabytes(8);
    /** The gateway's timeout is 15 s. */
    private static final Duration TIMEOUT_MAX = Duration.ofSeconds(12);

    /** IllegalArgumentException names the setting to change. */
    PreviewProperties {
        require(
                pageMax.toBytes() > 0 && pageMax.compareTo(PAGE_MAX) <= 0,
                "page-max: set a size up to 8MB, such as 512KB");
        require(
                pictureMax.toBytes() > 0 && pictureMax.compareTo(picturesMax) <= 0,
                "picture-max: set a size such as 5MB, and no more than pictures-max");
        require(
                timeout.isPositive() && timeout.compareTo(TIMEOUT_MAX) <= 0,
                "timeout: set a time up to 12s, since gateways wait 15s");
        require(atOnce > 0 && ofUserAtOnce > 0, "at-once, of-user-at-once: set numbers of pages, at least 1");
    }

    private static void require(boolean fulfilled, String problem) {
        if (!fulfilled) {
            throw new IllegalArgumentException("rookery.room.media.preview." + problem);
        }
    }

    /** Whether a host in lower case is denied. */
    boolean isDenied(String host) {
        String name = host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
        return deniedHosts.stream()
                .anyMatch(denied -> pattern(denied).matcher(name).matches());
    }

    private static Pattern pattern(String denied) {
        String quoted = Pattern.quote(denied.toLowerCase(Locale.ROOT)).replace("*", "\\E.*\\Q");
        return Pattern.compile(quoted);
    }
}
