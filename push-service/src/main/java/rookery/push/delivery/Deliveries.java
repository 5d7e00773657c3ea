// SPDX-License-Identifier: Apache-2.0
package rookery.push.delivery;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.EventId;
import rookery.model.id.TenantId;
import rookery.model.id.TenantRoom;
import rookery.platform.sql.Portions;
import rookery.push.delivery.Units.TenantEvent;

/**
 * Creates pushes and marks pushes that have become unnecessary. Each method runs in the transaction that moves the log position,
 * so a push is created once even if the log is followed again.
 */
@Component
public class Deliveries {
    private static final Duration PUSHED_WITHIN = Duration.ofDays(1);

    private final Units units;
    private final DeferredEvents deferred;
    private final PollSignal pollSignal;
    private final Clock clock;

    Deliveries(Units units, DeferredEvents deferred, PollSignal pollSignal, Clock clock) {
        this.units = units;
        this.deferred = deferred;
        this.pollSignal = pollSignal;
        this.clock = clock;
    }

    /**
     * Keeps deferred events of these rooms from becoming units until the transaction ends. Comes before {@link #add}, {@link #read} and
     * {@link #redacted}, all of which lock rows: a creation of units then never waits for this transaction, so the two cannot
     * deadlock.
     */
    public Mono<Void> lock(Set<TenantRoom> rooms) {
        return deferred.lock(rooms);
    }

    /**
     * Creates a unit for each pusher of each user with a notifying verdict. No units for pushers younger than the event, for
     * paused users, for existing units, and for events more than a day old. The units of a tenant beyond its pace are created later.
     */
    public Mono<Void> add(List<NewUnit> all) {
        long oldest = clock.instant().minus(PUSHED_WITHIN).toEpochMilli();
        var notifying = all.stream()
                .filter(unit -> unit.verdict().notifies() && unit.event().ts() > oldest)
                .sorted(Comparator.comparingLong(unit -> unit.event().pos()))
                .toList();
        return Portions.each(notifying, this::addPortion);
    }

    private Mono<Void> addPortion(List<NewUnit> notifying) {
        var tenants = notifying.stream().map(unit -> unit.event().tenant()).collect(Collectors.toSet());
        pollSignal.soon();
        return deferred.deferring(tenants).flatMap(deferring -> {
            var now = new ArrayList<NewUnit>();
            var later = new ArrayList<NewUnit>();
            for (var unit : notifying) {
                (deferring.contains(unit.event().tenant()) ? later : now).add(unit);
            }
            return created(now).then(deferred(later));
        });
    }

    private Mono<Void> created(List<NewUnit> now) {
        var coalescing = now.stream()
                .filter(unit -> unit.verdict().coalesces())
                .map(unit -> TenantEvent.of(unit.event()))
                .distinct()
                .toList();
        return now.isEmpty()
                ? Mono.empty()
                : units.insert(now).then(coalescing.isEmpty() ? Mono.empty() : units.coalesce(coalescing));
    }

    private Mono<Void> deferred(List<NewUnit> later) {
        return later.isEmpty() ? Mono.empty() : deferred.insert(later);
    }

    /** Supersedes the pushes of a redacted event and deletes the event's stored content. Its room is locked ({@link #lock}). */
    public Mono<Void> redacted(TenantId tenant, EventId event) {
        // first, so that the units of a transaction that creates them in this moment are superseded
        return deferred.forget(tenant, event)
                .then(units.supersede(tenant, event))
                .then(units.forget(tenant, event));
    }

    /** Supersedes the pushes that users have read. The rooms are locked ({@link #lock}). */
    public Mono<Void> read(List<ReadUpTo> reads) {
        return Portions.each(reads, units::supersede);
    }
}
