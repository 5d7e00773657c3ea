// SPDX-License-Identifier: Apache-2.0
package rookery.admin.stats;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** Maximum age of statistics; admin-service.yml explains the key. */
@ConfigurationProperties("rookery.admin.stats")
record StatsProperties(@DefaultValue("60s") Duration maxAge) {}
