package rookery.platform.redis;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** Where Redis is and how long it may take to answer; every key is explained in platform.yml. */
@ConfigurationProperties("rookery.redis")
public record RedisProperties(
        @DefaultValue("redis://127.0.0.1:6379") String url,
        @DefaultValue("50ms") Duration timeout) {}
