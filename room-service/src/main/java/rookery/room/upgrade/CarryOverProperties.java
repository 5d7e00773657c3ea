// SPDX-License-Identifier: Apache-2.0
package rookery.room.upgrade;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** Timing of carrying users' tags and rules to the successor of a room; room-service.yml explains the keys. */
@ConfigurationProperties("rookery.room.carry-over")
record CarryOverProperties(
        @DefaultValue("500ms") Duration interval,
        @DefaultValue("30s") Duration lease) {}
