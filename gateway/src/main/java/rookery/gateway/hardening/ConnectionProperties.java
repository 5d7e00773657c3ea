package rookery.gateway.hardening;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/** How long a connection may take over what, and how much all may hold; every key is explained in gateway.yml. */
@ConfigurationProperties("rookery.connection")
public record ConnectionProperties(
        @DefaultValue("10s") Duration firstHeaders,
        @DefaultValue("60s") Duration idle,
        @DefaultValue("60s") Duration body,
        @DefaultValue("0") DataSize bodies) {}
