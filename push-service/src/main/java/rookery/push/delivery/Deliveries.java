package rookery.push.delivery;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.EventId;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.sql.Portions;

/**
 * Pushes that are to be made, and those that have become pointless. Each of these belongs into the transaction that moves the
 * position in the log: then a push is made once, whatever is followed again.
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
     * Makes a unit for each pusher of each user that the verdict says is to be told: none for pushers that are younger than the
     * event, for users who are paused, for what was made before, and for events of more than a day ago.
     */
    public Mono<Void> add(List<NewUnit> all) {
        long oldest = clock.instant().minus(PUSHED_WITHIN).toEpochMilli();
        var wanted = all.stream()
                .filter(unit -> unit.verdict().notifies() && unit.event().ts() > oldest)
                .toList();
        return Portions.each(wanted, this::addPortion);
    }

    private Mono<Void> addPortion(List<NewUnit> wanted) {
        var coalescing = wanted.stream()
                .filter(unit -> unit.verdict().coalesces())
                .map(NewUnit::event)
                .distinct()
                .toList();
        pollSignal.soon();
        return units.insert(wanted).then(coalescing.isEmpty() ? Mono.empty() : units.coalesce(coalescing));
    }

    /** The event says nothing any more, so nobody is told of it, and what would have been told is deleted. */
    public Mono<Void> redacted(TenantId tenant, EventId event) {
        return units.supersede(tenant, event).then(units.forget(tenant, event));
    }

    /** The room is gone, and so is everything that would have been told of it. */
    public Mono<Void> purged(TenantId tenant, RoomId room) {
        return units.supersede(tenant, room).then(units.forget(tenant, room));
    }

    /**
     * The user has read what is in the room up to that position.
     *
     * @param thread the root of the only thread that was read, {@code main} for what is in none, null for everything
     */
    public Mono<Void> read(TenantId tenant, UserId user, RoomId room, long upto, @Nullable String thread) {
        return units.supersede(tenant, user, room, upto, thread);
    }

    /** The same of several users, at once. */
    public Mono<Void> read(List<ReadUpTo> reads) {
        return Portions.each(reads, units::supersede);
    }
}
