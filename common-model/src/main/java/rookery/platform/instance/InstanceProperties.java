package rookery.platform.instance;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Where the other services are; every key is explained in platform.yml.
 *
 * @param folder the folder the launcher writes, one file an instance, or null
 * @param addresses addresses by service, for what is not in the folder
 * @param names by service, {@code host:port} where each address of the host is an instance
 * @param managementPort the management port of those instances, or null
 */
@ConfigurationProperties("rookery.instances")
public record InstanceProperties(
        @Nullable String folder,
        @DefaultValue Map<String, List<String>> addresses,
        @DefaultValue Map<String, String> names,
        @Nullable Integer managementPort) {}
