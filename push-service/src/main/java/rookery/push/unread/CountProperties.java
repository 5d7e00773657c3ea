// SPDX-License-Identifier: Apache-2.0
package rookery.push.unread;

import java.time.Duration;
import java.util.Set;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** Badge settings and retention of counts; push-service.yml explains the keys. */
@ConfigurationProperties("rookery.push.count")
record CountProperties(
        @DefaultValue Set<Integer> badgeOfRooms,
        @DefaultValue("30d") Duration keepFor,
        @DefaultValue("90d") Duration keepHighlightsFor) {}
