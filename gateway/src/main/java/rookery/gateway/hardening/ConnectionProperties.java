package rookery.gateway.hardening;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** How long a connection may take over what; every key is explained in gateway.yml. */
@ConfigurationProperties("rookery.connection")
record ConnectionProperties(
        @DefaultValue("10s") Duration firstHeaders,
        @DefaultValue("60s") Duration idle,
        @DefaultValue("60s") Duration body) {}
