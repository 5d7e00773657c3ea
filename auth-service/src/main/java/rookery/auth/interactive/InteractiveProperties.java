// SPDX-License-Identifier: Apache-2.0
package rookery.auth.interactive;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** The lifetimes of authentication sessions; auth-service.yml explains every key. */
@ConfigurationProperties("rookery.auth.interactive")
record InteractiveProperties(
        @DefaultValue("60m") Duration idleMax,
        @DefaultValue("24h") Duration ageMax,
        @DefaultValue("5m") Duration replay) {}
