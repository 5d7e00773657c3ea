// SPDX-License-Identifier: Apache-2.0
package rookery.sync.sync;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/** Limits of waiting requests; sync-service.yml explains every key. */
@ConfigurationProperties("rookery.sync.waiting")
record WaitingProperties(
        @DefaultValue("2s") Duration drainSpread,
        @DefaultValue("30s") Duration writeMax,
        @DefaultValue("64KB") DataSize writeMin,
        @DefaultValue("10000") int requestsMax) {}
