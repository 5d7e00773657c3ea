// SPDX-License-Identifier: Apache-2.0
package rookery.sync.inbox;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;
import rookery.sync.ring.RingBudget;

/** Limits of recent events in memory, for a room and for all rooms; sync-service.yml explains every key. */
@ConfigurationProperties("rookery.sync.ring")
record RingProperties(
        @DefaultValue("200") int entriesMax,
        @DefaultValue("256KB") DataSize bytesMax,
        @DefaultValue("0") DataSize allBytesMax,
        @DefaultValue("10m") Duration ageMax,
        @DefaultValue("1000") int fillEntries,
        @DefaultValue("2m") Duration fillFor) {
    private static final int SHARE_OF_HEAP = 8;

    RingBudget budget() {
        long bytes = allBytesMax.toBytes();
        return new RingBudget(bytes == 0 ? Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP : bytes);
    }
}
