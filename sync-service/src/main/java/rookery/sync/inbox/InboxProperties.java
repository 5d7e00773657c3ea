// SPDX-License-Identifier: Apache-2.0
package rookery.sync.inbox;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** Idle time of users in memory and limits of loads; sync-service.yml explains every key. */
@ConfigurationProperties("rookery.sync.inbox")
record InboxProperties(
        @DefaultValue("5m") Duration idleMax,
        @DefaultValue("16") int loadsAtOnce,
        @DefaultValue("5000") int loadsWaitingMax) {}
