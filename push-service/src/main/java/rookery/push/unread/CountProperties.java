// SPDX-License-Identifier: Apache-2.0
package rookery.push.unread;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** Retention of counts; push-service.yml explains the keys. */
@ConfigurationProperties("rookery.push.count")
record CountProperties(
        @DefaultValue("30d") Duration keepFor,
        @DefaultValue("90d") Duration keepHighlightsFor) {}
