// SPDX-License-Identifier: Apache-2.0
package rookery.push.count;

import java.util.List;
import java.util.Set;
import reactor.core.publisher.Mono;
import rookery.model.id.EventId;
import rookery.model.id.TenantId;
import rookery.model.id.TenantRoom;
import rookery.push.delivery.NewUnit;
import rookery.push.delivery.ReadUpTo;

/** Receives pushes to deliver and pushes that have become unnecessary, inside the transaction that moves the log position. */
public interface PushSink {
    /**
     * Locks these rooms, so that no other transaction turns their deferred events into pushes before this transaction ends. Called
     * once and first, with all rooms of the redactions and reads that follow.
     */
    Mono<Void> lock(Set<TenantRoom> rooms);

    /** Adds pushes; the list is never empty. */
    Mono<Void> add(List<NewUnit> pushes);

    /** The event was redacted. */
    Mono<Void> redacted(TenantId tenant, EventId event);

    /** Users with pushers have read in rooms; the list is never empty. */
    Mono<Void> read(List<ReadUpTo> reads);
}
