package rookery.directory.alias;

import java.time.Clock;
import java.util.List;
import java.util.function.Function;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.directory.alias.Aliases.Counts;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.RoomAlias;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;

/**
 * Keeps names and rooms true to each other: a name is reserved before its room is made, and confirmed once the room exists.
 *
 * <p>The room log brings the confirmation a moment after the room was made. Whoever looks before that must not be told that
 * there is no such name, so an unconfirmed one is asked about (design.md 2).
 */
@Component
class AliasRegistry {
    private final Aliases aliases;
    private final RoomClient rooms;
    private final AliasProperties properties;
    private final Clock clock;

    AliasRegistry(Aliases aliases, RoomClient rooms, AliasProperties properties, Clock clock) {
        this.aliases = aliases;
        this.rooms = rooms;
        this.properties = properties;
        this.clock = clock;
    }

    /** Where the name leads; empty if nowhere. */
    Mono<Alias> find(TenantId tenant, RoomAlias name) {
        return aliases.find(tenant, name).flatMap(alias -> alias.isConfirmed() ? Mono.just(alias) : confirmed(alias));
    }

    /** The names of a room that is known to exist, the oldest first. */
    Mono<List<RoomAlias>> ofRoom(TenantId tenant, RoomId room) {
        return aliases.ofRoom(tenant, room)
                .map(all -> all.stream().map(Alias::name).toList());
    }

    /** Names a room that is known to exist. Whether the name was free; M_FORBIDDEN for one alias too many. */
    Mono<Boolean> add(TenantId tenant, RoomAlias name, RoomId room, UserId creator) {
        return requireFew(tenant, room, creator)
                .then(Mono.defer(() -> claim(new Alias(tenant, name, room, creator, null), aliases::insert)));
    }

    private Mono<Void> requireFew(TenantId tenant, RoomId room, UserId creator) {
        return aliases.counts(tenant, creator, room).doOnNext(this::requireFew).then();
    }

    private void requireFew(Counts counts) {
        if (counts.ofUser() >= properties.ofUserMax()) {
            throw new ApiException(
                    ErrorCode.M_FORBIDDEN, "nobody has more than " + properties.ofUserMax() + " aliases: delete some");
        }
        if (counts.ofRoom() >= properties.ofRoomMax()) {
            throw new ApiException(
                    ErrorCode.M_FORBIDDEN, "no room has more than " + properties.ofRoomMax() + " aliases: delete some");
        }
    }

    /** Keeps the name for a room that is about to be made. Whether it was free, or kept for this room already; M_FORBIDDEN as above. */
    Mono<Boolean> reserve(TenantId tenant, RoomAlias name, RoomId room, UserId creator) {
        var until = clock.instant().plus(properties.reservationLife());
        return requireFew(tenant, room, creator)
                .then(Mono.defer(() -> claim(new Alias(tenant, name, room, creator, until), aliases::reserve)));
    }

    /** The room will not be made. */
    Mono<Void> release(TenantId tenant, RoomAlias name, RoomId room) {
        return aliases.release(tenant, name, room).then();
    }

    /** Whether the name still led there and is free now. */
    Mono<Boolean> remove(Alias alias) {
        return aliases.delete(alias.tenant(), alias.name(), alias.room());
    }

    /** Confirms or deletes what was reserved long ago and neither confirmed nor released: its maker died in between. */
    Mono<Void> settleAbandoned() {
        return aliases.abandoned(clock.instant().minus(properties.abandonedAfter()))
                .flatMapMany(Flux::fromIterable)
                .concatMap(this::settled)
                .then();
    }

    private Mono<Boolean> claim(Alias wanted, Function<Alias, Mono<Boolean>> attempt) {
        return attempt.apply(wanted).flatMap(free -> free ? Mono.just(true) : takeOver(wanted));
    }

    /** A reservation that has ended gives way, unless its room was made after all. */
    private Mono<Boolean> takeOver(Alias wanted) {
        return aliases.find(wanted.tenant(), wanted.name())
                .filter(old -> !old.isHeldAt(clock.instant()))
                .flatMap(old -> confirmed(old).hasElement().flatMap(exists -> replaced(old, wanted, exists)))
                .defaultIfEmpty(false);
    }

    private Mono<Boolean> replaced(Alias old, Alias wanted, boolean exists) {
        return exists ? Mono.just(false) : aliases.replace(old, wanted);
    }

    private Mono<Alias> confirmed(Alias reserved) {
        return rooms.facts(reserved.tenant(), reserved.room(), reserved.creator())
                .flatMap(
                        _ -> aliases.confirm(reserved.tenant(), reserved.room()).thenReturn(reserved));
    }

    private Mono<Void> settled(Alias reserved) {
        return confirmed(reserved)
                .switchIfEmpty(Mono.defer(() -> aliases.release(reserved.tenant(), reserved.name(), reserved.room())
                        .thenReturn(reserved)))
                .then();
    }
}
