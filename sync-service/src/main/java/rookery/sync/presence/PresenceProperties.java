// SPDX-License-Identifier: Apache-2.0
package rookery.sync.presence;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** Deadlines and limits of presence; sync-service.yml explains every key. */
@ConfigurationProperties("rookery.sync.presence")
public record PresenceProperties(
        @DefaultValue("5m") Duration idleAfter,
        @DefaultValue("30s") Duration offlineAfter,
        @DefaultValue("60s") Duration repeatEvery,
        @DefaultValue("100000") int usersMax,
        @DefaultValue("2000") int roomsMax,
        @DefaultValue("100") int wakeReadersMax,
        @DefaultValue("500") int eventsMax) {}
