// SPDX-License-Identifier: Apache-2.0
package rookery.room.event;

import java.util.Map;
import java.util.random.RandomGenerator;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.model.event.EventTypes;
import rookery.model.id.RoomAlias;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.TenantRoom;
import rookery.model.id.UserId;
import rookery.platform.http.Callers;
import rookery.platform.http.ServiceName;
import rookery.room.draft.EventLine;
import rookery.room.draft.EventText;
import rookery.room.draft.RoomDraft.OfEvent;
import rookery.room.roomlog.RoomLog;
import rookery.room.table.StoredEvent;
import rookery.room.timeline.StateRows;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Removes a deleted alias from the room's canonical aliases, as the user who deleted the alias (contract.md 6). Internal. */
@RestController
class AliasRemovalApi {
    private final RoomLog roomLog;
    private final StateRows states;
    private final RandomGenerator random;

    AliasRemovalApi(RoomLog roomLog, StateRows states, RandomGenerator random) {
        this.roomLog = roomLog;
        this.states = states;
        this.random = random;
    }

    @Callers(ServiceName.DIRECTORY)
    @PostMapping("/internal/rooms/{roomId}/aliases/forget")
    Mono<Map<String, Object>> forget(@PathVariable RoomId roomId, @RequestBody Removal removal) {
        var room = new TenantRoom(removal.tenant, roomId);
        return states.at(room, room.shard(), Long.MAX_VALUE - 1, EventTypes.CANONICAL_ALIAS, "")
                .filter(event -> names(event, removal.alias))
                .flatMap(event -> roomLog.append(without(room, event, removal)))
                .thenReturn(Map.of());
    }

    private static boolean names(StoredEvent event, RoomAlias alias) {
        return event.content().toString().contains('"' + alias.value() + '"');
    }

    private OfEvent without(TenantRoom room, StoredEvent event, Removal removal) {
        ObjectNode content = event.content();
        String alias = removal.alias.value();
        if (content.path("alias").asString("").equals(alias)) {
            content.remove("alias");
        }
        if (content.get("alt_aliases") instanceof ArrayNode alternatives) {
            alternatives.removeIf(other -> other.asString("").equals(alias));
        }
        var id = EventLine.newId(random);
        var text = EventText.of(room, EventTypes.CANONICAL_ALIAS, "", content);
        return new OfEvent(room, removal.user, id, EventTypes.CANONICAL_ALIAS, "", content, text, null);
    }

    record Removal(TenantId tenant, UserId user, RoomAlias alias) {}
}
