package rookery.admin.metrics;

import java.time.Duration;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import rookery.platform.ratelimit.Cidr;

/** Who may read metrics, and how they are collected; every key is explained in admin-service.yml. */
@ConfigurationProperties("rookery.admin.metrics")
record MetricsProperties(
        @DefaultValue List<String> networks,
        @DefaultValue("5s") Duration interval,
        @DefaultValue("5m") Duration keptFor) {
    List<Cidr> allowed() {
        return networks.stream().map(Cidr::parse).toList();
    }
}
