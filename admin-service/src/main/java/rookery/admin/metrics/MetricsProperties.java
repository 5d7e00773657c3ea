// SPDX-License-Identifier: Apache-2.0
package rookery.admin.metrics;

import java.time.Duration;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import rookery.platform.ratelimit.Cidr;

/** Access to the metrics and their collection; admin-service.yml explains the keys. */
@ConfigurationProperties("rookery.admin.metrics")
record MetricsProperties(
        @DefaultValue List<String> networks,
        @DefaultValue("5s") Duration interval,
        @DefaultValue("5m") Duration keptFor) {
    List<Cidr> allowed() {
        return networks.stream().map(Cidr::parse).toList();
    }
}
