package rookery.auth.session;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** How long tokens live, and how long a gateway may believe one; every key is explained in auth-service.yml. */
@ConfigurationProperties("rookery.auth.session")
record SessionProperties(
        @DefaultValue("1h") Duration accessTokenLife,
        @DefaultValue("90d") Duration refreshTokenLife,
        @DefaultValue("10s") Duration cacheLife) {}
