// SPDX-License-Identifier: Apache-2.0
package rookery.admin.room;

import java.util.Set;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.admin.Local;
import rookery.admin.audit.Audit;
import rookery.admin.list.ListDocument;
import rookery.admin.list.ListQuery;
import rookery.admin.room.RoomInspectionClient.MemberQuery;
import rookery.admin.user.AccountClient;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.platform.http.Access;
import rookery.platform.http.Access.Level;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Members and messages of rooms, rooms of users, and purges, for administrators of the tenant (contract.md 5.2). Errors: M_FORBIDDEN
 * for other users before any lookup, M_INVALID_PARAM for ids of other servers, M_NOT_FOUND.
 */
@RestController
@Access(Level.ADMIN)
@RequestMapping("/_api/client/v3/admin")
public class RoomReadingApi {
    private static final Set<String> MEMBERSHIPS = Set.of("join", "invite", "knock", "leave", "ban");
    private static final int USUAL_LIMIT = 50;

    private final RoomInspectionClient inspections;
    private final AccountClient accounts;
    private final Audit audit;

    RoomReadingApi(RoomInspectionClient inspections, AccountClient accounts, Audit audit) {
        this.inspections = inspections;
        this.accounts = accounts;
        this.audit = audit;
    }

    /** The members by user id, with their power; {@code membership} selects one membership, {@code limit} makes pages. */
    @GetMapping("/rooms/{roomId}/members")
    public Flux<String> members(
            Caller caller, @PathVariable String roomId, @RequestParam MultiValueMap<String, String> query) {
        var room = Local.room(caller, roomId);
        var membership = query.getFirst("membership");
        if (membership != null && !MEMBERSHIPS.contains(membership)) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "membership is one of " + MEMBERSHIPS);
        }
        var asked = new MemberQuery(caller.user(), membership, ListQuery.of(query));
        var lines = inspections.memberList(caller.tenant(), room, asked);
        return audit.recorded(caller, "list members", roomId, ListDocument.of("members", lines));
    }

    /** The newest messages, which the administrator may read as any client: no more than as a member, or where all may read. */
    @GetMapping("/rooms/{roomId}/messages")
    public Mono<JsonNode> messages(
            Caller caller, @PathVariable String roomId, @RequestParam MultiValueMap<String, String> query) {
        var room = Local.room(caller, roomId);
        var page = ListQuery.of(query);
        var limit = page.limit();
        var act = inspections.messages(
                caller.tenant(),
                room,
                caller.user(),
                page.from().isEmpty() ? null : page.from(),
                limit == null ? USUAL_LIMIT : limit);
        return audit.recorded(caller, "read messages", roomId, act);
    }

    @GetMapping("/users/{userId}/rooms")
    public Mono<ObjectNode> roomsOfUser(Caller caller, @PathVariable String userId) {
        var user = Local.user(caller, userId);
        var joined =
                accounts.find(caller.tenant(), user).then(Mono.defer(() -> inspections.roomsOf(caller.tenant(), user)));
        return audit.recorded(caller, "list rooms of user", userId, joined);
    }

    /** The purges of rooms, the newest first, with what is left to delete. */
    @GetMapping("/purges")
    public Flux<String> purges(Caller caller, @RequestParam MultiValueMap<String, String> query) {
        var lines = inspections.purges(caller.tenant(), ListQuery.of(query));
        return audit.recorded(caller, "list purges", "", ListDocument.of("purges", lines));
    }
}
