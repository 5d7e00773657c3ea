// SPDX-License-Identifier: Apache-2.0
package rookery.admin.audit;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** Retention of audit records; {@code admin-service.yml} explains the keys. */
@ConfigurationProperties("rookery.admin.audit")
record AuditProperties(@DefaultValue("400d") Duration keptFor) {}
