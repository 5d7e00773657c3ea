// SPDX-License-Identifier: Apache-2.0
package rookery.sync.inbox;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/** Idle time of users in memory and limits of loads; sync-service.yml explains every key. */
@ConfigurationProperties("rookery.sync.inbox")
record InboxProperties(
        @DefaultValue("5m") Duration idleMax,
        @DefaultValue("0") DataSize dataBytesMax,
        @DefaultValue("16") int loadsAtOnce,
        @DefaultValue("5000") int loadsWaitingMax) {
    private static final int SHARE_OF_HEAP = 8;

    DataBudget budget() {
        long bytes = dataBytesMax.toBytes();
        return new DataBudget(bytes == 0 ? Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP : bytes);
    }
}
