// SPDX-License-Identifier: Apache-2.0
package rookery.platform.instance;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * This process's own instance; explained in platform.yml.
 *
 * @param name the name that other processes use, such as {@code room-service-1}; empty to find the instance by its address
 * @param service its service, such as {@code room-service}
 */
@ConfigurationProperties("rookery.instance")
public record OwnInstanceProperties(
        @DefaultValue("") String name, @DefaultValue("") String service) {}
