// SPDX-License-Identifier: Apache-2.0
package rookery.directory.alias;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;
import rookery.model.id.RoomAlias;
import rookery.model.id.RoomId;
import rookery.model.id.ServerName;
import rookery.platform.http.Access;
import rookery.platform.http.Access.Level;
import rookery.platform.http.JsonBody;

/** The client's endpoints for room aliases (contract.md 6). */
@RestController
class AliasApi {
    private static final Map<String, String> NOTHING = Map.of();

    private final AliasEditor editor;

    AliasApi(AliasEditor editor) {
        this.editor = editor;
    }

    /** 404 for an unknown alias and for an alias of another server. */
    @GetMapping("/_api/client/v3/directory/room/{roomAlias}")
    @Access(Level.NONE)
    Mono<AliasAnswer> find(@PathVariable RoomAlias roomAlias, Caller caller) {
        return editor.find(caller, roomAlias).map(room -> new AliasAnswer(room, List.of(caller.server())));
    }

    /**
     * Creates an alias; body {@code {"room_id"}}. 404 for an unknown room, 403 if the caller is not joined, 400 M_EXCLUSIVE for a
     * reserved name, 409 for a taken name.
     */
    @PutMapping("/_api/client/v3/directory/room/{roomAlias}")
    Mono<Map<String, String>> add(@PathVariable RoomAlias roomAlias, Caller caller, JsonBody body) {
        return editor.add(caller, roomAlias, new RoomId(body.string("room_id"))).thenReturn(NOTHING);
    }

    /**
     * Allowed for the alias's creator, for administrators, and for users with the power to change the room's canonical alias;
     * 403 otherwise.
     */
    @DeleteMapping("/_api/client/v3/directory/room/{roomAlias}")
    Mono<Map<String, String>> remove(@PathVariable RoomAlias roomAlias, Caller caller) {
        return editor.remove(caller, roomAlias).thenReturn(NOTHING);
    }

    /**
     * Allowed for joined members, and for all users if the room is world_readable; 403 otherwise, whether or not the room exists.
     */
    @GetMapping("/_api/client/v3/rooms/{roomId}/aliases")
    Mono<Names> ofRoom(@PathVariable RoomId roomId, Caller caller) {
        return editor.ofRoom(caller, roomId).map(Names::new);
    }

    record AliasAnswer(@JsonProperty("room_id") RoomId roomId, List<ServerName> servers) {}

    record Names(List<RoomAlias> aliases) {}
}
