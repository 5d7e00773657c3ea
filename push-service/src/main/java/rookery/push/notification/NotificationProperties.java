// SPDX-License-Identifier: Apache-2.0
package rookery.push.notification;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** Retention of the list of notifications; the keys are shared with counting and explained in push-service.yml. */
@ConfigurationProperties("rookery.push.count")
record NotificationProperties(
        @DefaultValue("30d") Duration keepFor,
        @DefaultValue("90d") Duration keepHighlightsFor) {}
