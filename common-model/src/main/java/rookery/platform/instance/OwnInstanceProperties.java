package rookery.platform.instance;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Who this process is among the instances; explained in platform.yml.
 *
 * @param name as the other processes know it, such as {@code room-service-1}; empty where it is found by its address
 * @param service the service that it is an instance of, such as {@code room-service}
 */
@ConfigurationProperties("rookery.instance")
public record OwnInstanceProperties(
        @DefaultValue("") String name, @DefaultValue("") String service) {}
