// SPDX-License-Identifier: Apache-2.0
package rookery.push.inbox;

import java.util.List;
import java.util.Set;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.EventId;
import rookery.model.id.TenantId;
import rookery.model.id.TenantRoom;
import rookery.push.count.PushSink;
import rookery.push.delivery.Badges;
import rookery.push.delivery.Deliveries;
import rookery.push.delivery.NewUnit;
import rookery.push.delivery.ReadUpTo;

/** Passes pushes to delivery, and changed badge counts after reading on another device. */
@Component
class Pushes implements PushSink {
    private final Deliveries deliveries;
    private final Badges badges;

    Pushes(Deliveries deliveries, Badges badges) {
        this.deliveries = deliveries;
        this.badges = badges;
    }

    @Override
    public Mono<Void> lock(Set<TenantRoom> rooms) {
        return deliveries.lock(rooms);
    }

    @Override
    public Mono<Void> add(List<NewUnit> pushes) {
        return deliveries.add(pushes);
    }

    @Override
    public Mono<Void> redacted(TenantId tenant, EventId event) {
        return deliveries.redacted(tenant, event);
    }

    /** The count is read a second later, normally after the commit. After a rollback the count is sent unnecessarily. */
    @Override
    public Mono<Void> read(List<ReadUpTo> reads) {
        return deliveries
                .read(reads)
                .doOnSuccess(_ -> reads.forEach(read -> badges.changed(read.tenant(), read.user())));
    }
}
