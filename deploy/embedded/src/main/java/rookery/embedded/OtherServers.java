package rookery.embedded;

import java.util.List;

/**
 * Servers that tests use instead of those of {@link TestServers}, where {@code -Drookery.test.other-servers=true} says so; found by
 * {@link java.util.ServiceLoader}. Tests that kill or restart a server still take one of their own.
 */
public interface OtherServers {
    /** The superuser's connection to a database. */
    Database superuser(String database);

    /** With what a service comes into Kafka, as arguments of Spring; the topics are there. */
    List<String> kafkaArguments();

    /** For {@code rookery.redis.url}. */
    String redisUrl();
}
