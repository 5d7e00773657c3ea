// SPDX-License-Identifier: Apache-2.0
package rookery.directory.alias;

import java.time.Clock;
import java.util.List;
import java.util.function.Function;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.directory.alias.Aliases.Counts;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.RoomAlias;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.TenantRoom;
import rookery.model.id.UserId;

/**
 * Keeps aliases consistent with rooms: an alias is reserved before its room is created, and confirmed once the room exists.
 *
 * <p>The confirmation follows with the room log, shortly after the creation. Until then a look-up of the alias asks room-service
 * whether the room exists (design.md 2).
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

    /** Empty if the alias leads to no existing room. */
    Mono<Alias> find(TenantId tenant, RoomAlias name) {
        return aliases.find(tenant, name).flatMap(alias -> alias.isConfirmed() ? Mono.just(alias) : confirmed(alias));
    }

    /** The aliases of an existing room, the oldest first. */
    Mono<List<RoomAlias>> ofRoom(TenantId tenant, RoomId room) {
        return aliases.ofRoom(tenant, room)
                .map(all -> all.stream().map(Alias::name).toList());
    }

    /** Creates an alias of an existing room. False if the alias is taken; M_FORBIDDEN beyond the limits of aliases. */
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

    /**
     * Reserves the alias for a room that is about to be created. True if the alias was free or already reserved for this room;
     * M_FORBIDDEN beyond the limits of aliases.
     */
    Mono<Boolean> reserve(TenantId tenant, RoomAlias name, RoomId room, UserId creator) {
        var until = clock.instant().plus(properties.reservationLife());
        return requireFew(tenant, room, creator)
                .then(Mono.defer(() -> claim(new Alias(tenant, name, room, creator, until), aliases::reserve)));
    }

    /** Ends the reservation because the room will not be created. */
    Mono<Void> release(TenantId tenant, RoomAlias name, RoomId room) {
        return aliases.release(tenant, name, room).then();
    }

    /** False if the alias no longer led to this room. */
    Mono<Boolean> remove(Alias alias) {
        return aliases.delete(alias.tenant(), alias.name(), alias.room());
    }

    /**
     * Confirms or deletes old reservations that were neither confirmed nor released, because the instance that made them died.
     */
    @Scheduled(
            fixedDelayString = "${rookery.directory.alias.cleaning-interval}",
            initialDelayString = "${rookery.directory.alias.cleaning-interval}")
    Mono<Void> settleAbandoned() {
        return Mono.defer(() -> aliases.abandoned(clock.instant().minus(properties.abandonedAfter())))
                .flatMapMany(Flux::fromIterable)
                .concatMap(this::settled)
                .then();
    }

    private Mono<Boolean> claim(Alias claimed, Function<Alias, Mono<Boolean>> attempt) {
        return attempt.apply(claimed).flatMap(free -> free ? Mono.just(true) : takeOver(claimed));
    }

    /** Replaces an expired reservation, unless the room of the old reservation exists. */
    private Mono<Boolean> takeOver(Alias claimed) {
        return aliases.find(claimed.tenant(), claimed.name())
                .filter(old -> !old.isHeldAt(clock.instant()))
                .flatMap(old -> confirmed(old).hasElement().flatMap(exists -> replaced(old, claimed, exists)))
                .defaultIfEmpty(false);
    }

    private Mono<Boolean> replaced(Alias old, Alias claimed, boolean exists) {
        return exists ? Mono.just(false) : aliases.replace(old, claimed);
    }

    private Mono<Alias> confirmed(Alias reserved) {
        return rooms.facts(reserved.tenant(), reserved.room(), reserved.creator())
                .flatMap(_ -> aliases.confirm(List.of(new TenantRoom(reserved.tenant(), reserved.room())))
                        .thenReturn(reserved));
    }

    private Mono<Void> settled(Alias reserved) {
        return confirmed(reserved)
                .switchIfEmpty(Mono.defer(() -> aliases.release(reserved.tenant(), reserved.name(), reserved.room())
                        .thenReturn(reserved)))
                .then();
    }
}
