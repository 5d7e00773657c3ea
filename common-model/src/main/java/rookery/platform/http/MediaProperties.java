package rookery.platform.http;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * What gateway and room-service agree on about media; every key is explained in platform.yml.
 *
 * @param sizeMax how large an upload may be
 * @param instances the name under which the gateway finds the instances that serve media
 */
@ConfigurationProperties("rookery.media")
public record MediaProperties(
        @DefaultValue("50MB") DataSize sizeMax,
        @DefaultValue("room-service") String instances) {
    /** IllegalArgumentException says what to change. */
    public MediaProperties {
        if (sizeMax.toBytes() < 1) {
            throw new IllegalArgumentException("rookery.media.size-max: set a size such as 50MB");
        }
    }
}
