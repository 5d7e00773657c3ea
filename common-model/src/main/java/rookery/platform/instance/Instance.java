package rookery.platform.instance;

import org.jspecify.annotations.Nullable;

/**
 * A running process of a service.
 *
 * @param name such as {@code room-service-1}; it survives a restart, so keys return to the same instance
 * @param address {@code host:port}
 * @param management {@code host:port} of its management port, or null where that is not known
 */
public record Instance(
        String name, String address, @Nullable String management) {}
