// SPDX-License-Identifier: Apache-2.0
package rookery.push.delivery;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.EventId;
import rookery.model.id.TenantId;
import rookery.platform.sql.Portions;

/**
 * Creates pushes and marks pushes that have become unnecessary. Each method runs in the transaction that moves the log position,
 * so a push is created once even if the log is followed again.
 */
@Component
public class Deliveries {
    private static final Duration PUSHED_WITHIN = Duration.ofDays(1);

    private final Units units;
    private final PollSignal pollSignal;
    private final Clock clock;

    Deliveries(Units units, PollSignal pollSignal, Clock clock) {
        this.units = units;
        this.pollSignal = pollSignal;
        this.clock = clock;
    }

    /**
     * Creates a unit for each pusher of each user with a notifying verdict. No units for pushers younger than the event, for
     * paused users, for existing units, and for events more than a day old.
     */
    public Mono<Void> add(List<NewUnit> all) {
        long oldest = clock.instant().minus(PUSHED_WITHIN).toEpochMilli();
        var notifying = all.stream()
                .filter(unit -> unit.verdict().notifies() && unit.event().ts() > oldest)
                .toList();
        return Portions.each(notifying, this::addPortion);
    }

    private Mono<Void> addPortion(List<NewUnit> notifying) {
        var coalescing = notifying.stream()
                .filter(unit -> unit.verdict().coalesces())
                .map(NewUnit::event)
                .distinct()
                .toList();
        pollSignal.soon();
        return units.insert(notifying).then(coalescing.isEmpty() ? Mono.empty() : units.coalesce(coalescing));
    }

    /** Supersedes the pushes of a redacted event and deletes the event's stored content. */
    public Mono<Void> redacted(TenantId tenant, EventId event) {
        return units.supersede(tenant, event).then(units.forget(tenant, event));
    }

    /** Supersedes the pushes that users have read. */
    public Mono<Void> read(List<ReadUpTo> reads) {
        return Portions.each(reads, units::supersede);
    }
}
