// SPDX-License-Identifier: Apache-2.0
package rookery.platform.redis;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** The address of Redis and the timeout of its responses; every key is explained in platform.yml. */
@ConfigurationProperties("rookery.redis")
public record RedisProperties(
        @DefaultValue("redis://127.0.0.1:6379") String url,
        @DefaultValue("1s") Duration timeout) {
    private static final int LEAST_MS = 10;

    public RedisProperties {
        if (timeout.toMillis() < LEAST_MS) {
            throw new IllegalArgumentException("rookery.redis.timeout: set a time such as 1s");
        }
    }
}
