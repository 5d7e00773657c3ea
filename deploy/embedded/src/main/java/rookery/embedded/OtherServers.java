// SPDX-License-Identifier: Apache-2.0
package rookery.embedded;

import java.util.List;

/**
 * Servers that replace the servers of {@link TestServers} under {@code -Drookery.test.other-servers=true}; found by {@link
 * java.util.ServiceLoader}. Tests that kill or restart a server still start their own.
 */
public interface OtherServers {
    /** The superuser's access to a database. */
    Database superuser(String database);

    /** Spring arguments with the Kafka access of a service; the topics exist. */
    List<String> kafkaArguments();

    /** The value of {@code rookery.redis.url}. */
    String redisUrl();
}
