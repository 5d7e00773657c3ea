// SPDX-License-Identifier: Apache-2.0
package rookery.platform.instance;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The addresses of the other services; every key is explained in platform.yml.
 *
 * @param folder the launcher's folder with one file for each instance, or null
 * @param addresses addresses by service, for services outside of the folder
 * @param names {@code host:port} by service, where each address of the host is an instance
 * @param managementPort the management port of these instances, or null
 */
@ConfigurationProperties("rookery.instances")
public record InstanceProperties(
        @Nullable String folder,
        @DefaultValue Map<String, List<String>> addresses,
        @DefaultValue Map<String, String> names,
        @Nullable Integer managementPort) {}
