// SPDX-License-Identifier: Apache-2.0
package rookery.sync.waiting;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** Times of gathering news for one answer; sync-service.yml explains every key. */
@ConfigurationProperties("rookery.sync.gathering")
record GatheringProperties(
        @DefaultValue("300ms") Duration least,
        @DefaultValue("1s") Duration interval,
        @DefaultValue("100ms") Duration eventsMax) {}
