package rookery.platform.instance;

/**
 * A running process of a service.
 *
 * @param name such as {@code room-service-1}; it survives a restart, so keys return to the same instance
 * @param address {@code host:port}
 */
public record Instance(String name, String address) {}
