package rookery.admin.audit;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** How long the record is kept; {@code admin-service.yml} explains the keys. */
@ConfigurationProperties("rookery.admin.audit")
record AuditProperties(@DefaultValue("400d") Duration keptFor) {}
