// SPDX-License-Identifier: Apache-2.0
package rookery.directory.alias;

import java.util.List;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.RoomAlias;
import rookery.model.id.RoomId;
import rookery.model.id.ServerName;

/** The client's operations on aliases with their permissions (contract.md 6). */
@Component
class AliasEditor {
    private static final RoomFacts NOTHING = new RoomFacts(null, 0, null, false);

    private final AliasRegistry registry;
    private final RoomClient rooms;
    private final AliasProperties properties;

    AliasEditor(AliasRegistry registry, RoomClient rooms, AliasProperties properties) {
        this.registry = registry;
        this.rooms = rooms;
        this.properties = properties;
    }

    Mono<RoomId> find(Caller caller, RoomAlias name) {
        return existing(caller, name).map(Alias::room);
    }

    Mono<Void> add(Caller caller, RoomAlias name, RoomId room) {
        requireOwn(name, caller.server());
        return rooms.facts(caller.tenant(), room, caller.user())
                .switchIfEmpty(Mono.error(() -> notFound("there is no such room")))
                .doOnNext(facts -> requireMember(caller, facts))
                .flatMap(_ -> added(caller, name, room));
    }

    Mono<Void> remove(Caller caller, RoomAlias name) {
        return existing(caller, name)
                .flatMap(alias -> rooms.facts(caller.tenant(), alias.room(), caller.user())
                        .defaultIfEmpty(NOTHING)
                        .flatMap(facts -> removed(caller, alias, facts)));
    }

    Mono<List<RoomAlias>> ofRoom(Caller caller, RoomId room) {
        return rooms.facts(caller.tenant(), room, caller.user())
                .filter(facts -> facts.isJoined() || facts.worldReadable())
                .switchIfEmpty(Mono.error(() -> new ApiException(ErrorCode.M_FORBIDDEN, "you cannot see this room")))
                .flatMap(_ -> registry.ofRoom(caller.tenant(), room));
    }

    /** Refuses aliases of other servers and aliases that match {@code rookery.directory.alias.reserved}. */
    void requireFree(RoomAlias name, ServerName server) {
        requireOwn(name, server);
        if (properties.isReserved(name)) {
            throw new ApiException(ErrorCode.M_EXCLUSIVE, "this alias is reserved, choose another one");
        }
    }

    private Mono<Alias> existing(Caller caller, RoomAlias name) {
        return registry.find(caller.tenant(), name).switchIfEmpty(Mono.error(() -> notFound("there is no such alias")));
    }

    private Mono<Void> added(Caller caller, RoomAlias name, RoomId room) {
        requireFree(name, caller.server());
        return registry.add(caller.tenant(), name, room, caller.user())
                .filter(free -> free)
                .switchIfEmpty(Mono.error(
                        () -> new ApiException(ErrorCode.M_UNKNOWN, "this alias exists already").withStatus(409)))
                .then();
    }

    private Mono<Void> removed(Caller caller, Alias alias, RoomFacts facts) {
        if (!mayRemove(caller, alias, facts)) {
            return Mono.error(new ApiException(ErrorCode.M_FORBIDDEN, "this alias is not yours to delete"));
        }
        return registry.remove(alias)
                .filter(gone -> gone && facts.maySendCanonicalAlias())
                .flatMap(_ -> rooms.forget(alias.tenant(), alias.room(), alias.name(), caller.user()));
    }

    static boolean mayRemove(Caller caller, Alias alias, RoomFacts facts) {
        return caller.user().equals(alias.creator()) || isAdmin(caller) || facts.maySendCanonicalAlias();
    }

    private static void requireMember(Caller caller, RoomFacts facts) {
        if (!facts.isJoined() && !isAdmin(caller)) {
            throw new ApiException(ErrorCode.M_FORBIDDEN, "join the room before you name it");
        }
    }

    private static void requireOwn(RoomAlias name, ServerName server) {
        if (!name.isOf(server)) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "an alias here ends with :" + server.value());
        }
    }

    private static boolean isAdmin(Caller caller) {
        var known = caller.known();
        return known != null && known.admin();
    }

    private static ApiException notFound(String reason) {
        return new ApiException(ErrorCode.M_NOT_FOUND, reason);
    }
}
