// SPDX-License-Identifier: Apache-2.0
package rookery.room.event;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.event.EventTypes;
import rookery.model.id.RoomAlias;
import rookery.model.id.RoomId;
import rookery.model.id.TenantRoom;
import rookery.platform.http.JsonBody;
import rookery.room.membership.AliasClient;
import rookery.room.timeline.StateRows;

/** Checks that every new canonical alias of a room exists and leads to the room: M_BAD_ALIAS (contract.md 13.9). */
@Component
public class CanonicalAliasCheck {
    private final AliasClient aliases;
    private final StateRows states;

    CanonicalAliasCheck(AliasClient aliases, StateRows states) {
        this.aliases = aliases;
        this.states = states;
    }

    Mono<Void> require(Caller caller, RoomId room, JsonBody content) {
        var requested = aliasesIn(content);
        if (requested.isEmpty()) {
            return Mono.empty();
        }
        return current(new TenantRoom(caller.tenant(), room))
                .flatMapMany(current -> Flux.fromIterable(requested).filter(alias -> !current.contains(alias)))
                .concatMap(alias -> requireLeadsTo(caller, alias, room))
                .then();
    }

    /** For a new room: no alias leads to the room yet, except the alias reserved with the creation. */
    public static void requireNoneBut(@Nullable RoomAlias own, JsonBody content) {
        for (var alias : aliasesIn(content)) {
            if (!alias.equals(own)) {
                throw new ApiException(ErrorCode.M_BAD_ALIAS, alias.value() + " does not lead to this room");
            }
        }
    }

    private Mono<List<RoomAlias>> current(TenantRoom room) {
        return states.at(room, room.shard(), Long.MAX_VALUE - 1, EventTypes.CANONICAL_ALIAS, "")
                .map(event -> aliasesIn(new JsonBody(event.content())))
                .defaultIfEmpty(List.of());
    }

    private Mono<Void> requireLeadsTo(Caller caller, RoomAlias alias, RoomId room) {
        return aliases.find(caller.tenant(), alias)
                .filter(room::equals)
                .switchIfEmpty(Mono.error(
                        () -> new ApiException(ErrorCode.M_BAD_ALIAS, alias.value() + " does not lead to this room")))
                .then();
    }

    private static List<RoomAlias> aliasesIn(JsonBody content) {
        var texts = new HashSet<String>(content.strings("alt_aliases"));
        String alias = content.optionalString("alias");
        if (alias != null && !alias.isEmpty()) {
            texts.add(alias);
        }
        var aliases = new ArrayList<RoomAlias>();
        texts.stream().sorted().forEach(text -> aliases.add(new RoomAlias(text)));
        return aliases;
    }
}
