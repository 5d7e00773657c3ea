// SPDX-License-Identifier: Apache-2.0
package rookery.platform.http;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Settings of media that gateway and room-service share; every key is explained in platform.yml.
 *
 * @param sizeMax the largest upload
 * @param instances the service name under which the gateway finds the instances that serve media
 */
@ConfigurationProperties("rookery.media")
public record MediaProperties(
        @DefaultValue("50MB") DataSize sizeMax,
        @DefaultValue("room-service") String instances) {
    public MediaProperties {
        if (sizeMax.toBytes() < 1) {
            throw new IllegalArgumentException("rookery.media.size-max: set a size such as 50MB");
        }
    }
}
