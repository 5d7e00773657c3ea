package rookery.gateway.hardening;

import java.time.Duration;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/** How long a connection may take over what, and how much all may hold, and how many one address may have; every key is explained in gateway.yml. */
@ConfigurationProperties("rookery.connection")
public record ConnectionProperties(
        @DefaultValue("10s") Duration firstHeaders,
        @DefaultValue("60s") Duration idle,
        @DefaultValue("60s") Duration body,
        @DefaultValue("0") DataSize bodies,
        @DefaultValue("1000") int perAddress,
        @DefaultValue({"127.0.0.0/8", "::1"}) List<String> unlimited) {}
