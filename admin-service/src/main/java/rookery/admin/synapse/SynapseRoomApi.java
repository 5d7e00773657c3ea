// SPDX-License-Identifier: Apache-2.0
package rookery.admin.synapse;

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
import rookery.admin.list.ListQuery;
import rookery.admin.room.RoomClient;
import rookery.admin.room.RoomClient.RoomSelection;
import rookery.admin.room.RoomInspectionClient;
import rookery.admin.room.RoomReadingApi;
import rookery.model.caller.Caller;
import rookery.model.event.Membership;
import rookery.platform.http.Access;
import rookery.platform.http.Access.Level;
import rookery.platform.http.JsonBody;
import rookery.platform.http.ListOrder;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Lists and shows rooms (contract.md 5.7). Errors: M_FORBIDDEN for other users before any lookup, M_INVALID_PARAM for ids of other
 * servers, M_NOT_FOUND.
 */
@RestController
@Access(Level.ADMIN)
@RequestMapping("/_synapse/admin/v1")
class SynapseRoomApi {
    /** Forwards, Synapse's tools expect the largest rooms first. */
    private static final ListOrder LARGEST = new ListOrder("joined_members", true);

    private static final Map<String, ListOrder> ORDERS =
            Map.of("joined_members", LARGEST, "joined_local_members", LARGEST, "size", LARGEST);

    private static final OffsetDocument ROOMS =
            new OffsetDocument("rooms", "total_rooms", "next_batch", "prev_batch", false, SynapseRoom::of);

    private final RoomClient rooms;
    private final RoomInspectionClient inspections;
    private final RoomReadingApi reading;
    private final Audit audit;

    SynapseRoomApi(RoomClient rooms, RoomInspectionClient inspections, RoomReadingApi reading, Audit audit) {
        this.rooms = rooms;
        this.inspections = inspections;
        this.reading = reading;
        this.audit = audit;
    }

    @GetMapping("/rooms")
    Flux<String> list(Caller caller, @RequestParam MultiValueMap<String, String> query) {
        var page = OffsetQuery.of(query, "search_term");
        var selection = new RoomSelection(
                caller.tenant(),
                page.search(),
                ListQuery.flag(query, "public_rooms"),
                ListQuery.flag(query, "empty_rooms"));
        return audit.recorded(
                caller,
                "list rooms",
                "",
                ROOMS.of(page, rooms.page(selection, page.from(), page.limit(), OffsetQuery.order(query, ORDERS))));
    }

    @GetMapping("/rooms/{roomId}")
    Mono<ObjectNode> room(Caller caller, @PathVariable String roomId) {
        return audit.recorded(caller, "see room", roomId, rooms.find(caller.tenant(), Local.room(caller, roomId)))
                .map(SynapseRoom::inDetail);
    }

    @GetMapping("/rooms/{roomId}/members")
    Flux<String> members(Caller caller, @PathVariable String roomId) {
        var members = inspections.members(caller.tenant(), Local.room(caller, roomId), caller.user());
        return audit.recorded(caller, "list members", roomId, WholeDocument.of("members", members));
    }

    @GetMapping("/rooms/{roomId}/state")
    Flux<String> state(Caller caller, @PathVariable String roomId, @RequestParam MultiValueMap<String, String> query) {
        OffsetQuery.refuse(query, "type");
        var state = inspections.state(caller.tenant(), Local.room(caller, roomId), caller.user());
        return audit.recorded(caller, "see state", roomId, WholeDocument.of("state", state));
    }

    /** Gives a member, or the caller without {@code user_id}, the highest power of a user in the room. */
    @PostMapping("/rooms/{roomId}/make_room_admin")
    Mono<Map<String, String>> promote(Caller caller, @PathVariable String roomId, JsonBody body) {
        var room = Local.room(caller, roomId);
        var named = body.optionalString("user_id");
        var user = named == null ? caller.user() : Local.user(caller, named);
        var act = inspections.promote(caller.tenant(), room, caller.user(), user);
        return audit.recorded(caller, "make room admin", roomId + " " + user.value(), act)
                .thenReturn(Map.of());
    }

    /** Only the rooms that the user has joined. */
    @GetMapping("/users/{userId}/memberships")
    Mono<ObjectNode> memberships(Caller caller, @PathVariable String userId) {
        return reading.roomsOfUser(caller, userId).map(answer -> {
            var memberships = JsonNodeFactory.instance.objectNode();
            answer.path("joined_rooms").forEach(room -> memberships.put(room.stringValue(), Membership.JOIN.word));
            return JsonNodeFactory.instance.objectNode().set("memberships", memberships);
        });
    }

    @GetMapping("/users/{userId}/joined_rooms")
    Mono<ObjectNode> joinedRooms(Caller caller, @PathVariable String userId) {
        return reading.roomsOfUser(caller, userId)
                .map(answer -> answer.put("total", answer.path("joined_rooms").size()));
    }
}
