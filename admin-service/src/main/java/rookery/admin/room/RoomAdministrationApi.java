// SPDX-License-Identifier: Apache-2.0
package rookery.admin.room;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Map;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.admin.Local;
import rookery.admin.audit.Audit;
import rookery.admin.list.ListDocument;
import rookery.admin.list.ListQuery;
import rookery.admin.user.AccountClient;
import rookery.model.caller.Caller;
import rookery.model.id.RoomId;
import rookery.platform.http.Access;
import rookery.platform.http.Access.Level;
import rookery.platform.http.JsonBody;
import tools.jackson.databind.JsonNode;

/**
 * The rooms, with kicks, bans and purges on the server's authority, for administrators of the tenant (contract.md 5.2, 5.3).
 * Errors: M_FORBIDDEN for other users before any lookup, M_INVALID_PARAM for ids of other servers, M_NOT_FOUND.
 */
@RestController
@Access(Level.ADMIN)
@RequestMapping("/_api/client/v3/admin/rooms")
public class RoomAdministrationApi {
    private final RoomClient rooms;
    private final AccountClient accounts;
    private final Audit audit;

    RoomAdministrationApi(RoomClient rooms, AccountClient accounts, Audit audit) {
        this.rooms = rooms;
        this.accounts = accounts;
        this.audit = audit;
    }

    /** All rooms; {@code limit} divides the list into pages. */
    @GetMapping
    public Flux<String> list(Caller caller, @RequestParam MultiValueMap<String, String> query) {
        var lines = rooms.list(
                caller.tenant(),
                ListQuery.of(query, "room_id", "created_at", "joined_members"),
                ListQuery.flag(query, "published"));
        return audit.recorded(caller, "list rooms", "", ListDocument.of("rooms", lines));
    }

    @GetMapping("/{roomId}")
    public Mono<JsonNode> find(Caller caller, @PathVariable String roomId) {
        return audit.recorded(caller, "see room", roomId, rooms.find(caller.tenant(), Local.room(caller, roomId)));
    }

    /** Body {@code {"user_id", "reason"?}}; M_FORBIDDEN if the user is not joined, invited or knocking. */
    @PostMapping("/{roomId}/kick")
    public Mono<Map<String, String>> kick(Caller caller, @PathVariable String roomId, JsonBody body) {
        return expel(caller, roomId, body, false);
    }

    /** Body {@code {"user_id", "reason"?}}. Idempotent. */
    @PostMapping("/{roomId}/ban")
    public Mono<Map<String, String>> ban(Caller caller, @PathVariable String roomId, JsonBody body) {
        return expel(caller, roomId, body, true);
    }

    /** Answers once the room is invisible to all users; the room's content is deleted afterwards. Idempotent. */
    @PostMapping("/{roomId}/purge")
    public Mono<PurgeAnswer> purge(Caller caller, @PathVariable String roomId) {
        var room = Local.room(caller, roomId);
        var act = rooms.purge(caller.tenant(), room, caller.user());
        return audit.recorded(caller, "purge room", roomId, act).thenReturn(new PurgeAnswer(room, true));
    }

    /** The answer of a purge (contract.md 5.3). */
    public record PurgeAnswer(@JsonProperty("room_id") RoomId roomId, boolean purged) {}

    private Mono<Map<String, String>> expel(Caller caller, String roomId, JsonBody body, boolean ban) {
        var room = Local.room(caller, roomId);
        var user = Local.user(caller, body.string("user_id"));
        var reason = body.optionalString("reason");
        var act = accounts.find(caller.tenant(), user)
                .then(Mono.defer(() -> rooms.expel(caller.tenant(), room, caller.user(), user, ban, reason)));
        return audit.recorded(caller, ban ? "ban" : "kick", roomId + " " + user.value(), act)
                .thenReturn(Map.of());
    }
}
