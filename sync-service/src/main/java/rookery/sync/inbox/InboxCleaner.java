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

    InboxCleaner(Inboxes inboxes, RoomFeed roomFeed, InboxProperties inboxProperties, RingProperties ringProperties) {
        this.inboxes = inboxes;
        this.roomFeed = roomFeed;
        this.inboxProperties = inboxProperties;
        this.ringProperties = ringProperties;
    }

    @Scheduled(fixedDelayString = "${rookery.sync.cleaning-interval:10s}")
    void clean() {
        inboxes.removeIdle(inboxProperties.idleMax().toNanos()).forEach(roomFeed::forget);
        roomFeed.clean(System.nanoTime(), ringProperties.ageMax().toNanos());
    }
}
