// SPDX-License-Identifier: Apache-2.0
package rookery.room.table;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** Timing of the removal of purged rooms; room-service.yml explains the keys. */
@ConfigurationProperties("rookery.room.purge")
public record PurgeProperties(
        @DefaultValue("500ms") Duration interval,
        @DefaultValue("15s") Duration grace,
        @DefaultValue("30s") Duration lease) {}
