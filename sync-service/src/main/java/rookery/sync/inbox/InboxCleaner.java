// SPDX-License-Identifier: Apache-2.0
package rookery.sync.inbox;

import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** Removes idle users and old events from memory. */
@Component
class InboxCleaner {
    private final Inboxes inboxes;
    private final RoomFeed roomFeed;
    private final InboxProperties inboxProperties;
    private final RingProperties ringProperties;
    private final DataBudget budget;

    InboxCleaner(
            Inboxes inboxes,
            RoomFeed roomFeed,
            InboxProperties inboxProperties,
            RingProperties ringProperties,
            DataBudget budget) {
        this.budget = budget;
        this.inboxes = inboxes;
        this.roomFeed = roomFeed;
        this.inboxProperties = inboxProperties;
        this.ringProperties = ringProperties;
    }

    @Scheduled(fixedDelayString = "${rookery.sync.cleaning-interval:10s}")
    void clean() {
        long idleNanos = budget.wasShort() ? 0 : inboxProperties.idleMax().toNanos();
        inboxes.removeIdle(idleNanos).forEach(roomFeed::forget);
        roomFeed.clean(System.nanoTime(), ringProperties.ageMax().toNanos());
    }
}
