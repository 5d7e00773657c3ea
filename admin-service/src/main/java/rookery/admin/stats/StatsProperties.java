package rookery.admin.stats;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** How old statistics may be; the key is explained in admin-service.yml. */
@ConfigurationProperties("rookery.admin.stats")
record StatsProperties(@DefaultValue("60s") Duration maxAge) {}
