package rookery.e2e.running;

import rookery.embedded.Database;

/** Where the services keep what they know: a Rookery that the tests started, or one that runs elsewhere. */
@FunctionalInterface
public interface Databases {
    /** As the service itself comes in, such as {@code room-service}. */
    Database database(String service);
}
