// SPDX-License-Identifier: Apache-2.0
package rookery.admin.synapse;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.admin.Local;
import rookery.admin.audit.Audit;
import rookery.admin.room.RoomClient;
import rookery.admin.room.RoomInspectionClient;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.RoomId;
import rookery.platform.http.Access;
import rookery.platform.http.Access.Level;
import rookery.platform.http.JsonBody;
import tools.jackson.databind.node.ObjectNode;

/**
 * Deletes rooms by purging them (contract.md 5.4, 5.7). The id of a deleted room is never used again, so the room is blocked as well.
 * Errors: M_FORBIDDEN for other users before any lookup, M_INVALID_PARAM for ids of other servers and for what a purge cannot do,
 * M_NOT_FOUND.
 */
@RestController
@Access(Level.ADMIN)
@RequestMapping("/_synapse/admin")
class SynapseRoomRemovalApi {
    private final RoomClient rooms;
    private final RoomInspectionClient inspections;
    private final Audit audit;

    SynapseRoomRemovalApi(RoomClient rooms, RoomInspectionClient inspections, Audit audit) {
        this.rooms = rooms;
        this.inspections = inspections;
        this.audit = audit;
    }

    /** Answers once no user sees the room any more. */
    @DeleteMapping("/v1/rooms/{roomId}")
    Mono<Shutdown> deleteAtOnce(Caller caller, @PathVariable String roomId, JsonBody body) {
        return deleted(caller, roomId, body).thenReturn(Shutdown.DONE);
    }

    @DeleteMapping("/v2/rooms/{roomId}")
    Mono<Map<String, String>> delete(Caller caller, @PathVariable String roomId, JsonBody body) {
        return deleted(caller, roomId, body).thenReturn(Map.of("delete_id", deleteId(roomId)));
    }

    private Mono<?> deleted(Caller caller, String roomId, JsonBody body) {
        var room = Local.room(caller, roomId);
        if (body.optionalString("new_room_user_id") != null) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "new_room_user_id: members are not moved to a new room");
        }
        if (!body.boolOr("purge", true)) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "purge: a room is deleted with all its events");
        }
        return audit.recorded(caller, "purge room", roomId, rooms.purge(caller.tenant(), room, caller.user()));
    }

    @GetMapping("/v2/rooms/{roomId}/delete_status")
    Mono<Map<String, List<DeleteStatus>>> statusOfRoom(Caller caller, @PathVariable String roomId) {
        return status(caller, Local.room(caller, roomId)).map(status -> Map.of("results", List.of(status)));
    }

    @GetMapping("/v2/rooms/delete_status/{deleteId}")
    Mono<DeleteStatus> status(Caller caller, @PathVariable String deleteId) {
        return status(caller, room(caller, deleteId));
    }

    private Mono<DeleteStatus> status(Caller caller, RoomId room) {
        return audit.recorded(caller, "see purge", room.value(), inspections.purged(caller.tenant(), room))
                .map(purge -> new DeleteStatus(
                        deleteId(room.value()),
                        room.value(),
                        purge.path("done").booleanValue(false) ? "complete" : "active",
                        Shutdown.DONE));
    }

    @GetMapping("/v1/rooms/{roomId}/block")
    Mono<Map<String, Object>> block(Caller caller, @PathVariable String roomId) {
        var purge = inspections
                .purged(caller.tenant(), Local.room(caller, roomId))
                .map(SynapseRoomRemovalApi::blocked)
                .onErrorResume(
                        failure -> failure instanceof ApiException refusal && refusal.code == ErrorCode.M_NOT_FOUND,
                        _ -> Mono.just(Map.of("block", false)));
        return audit.recorded(caller, "see purge", roomId, purge);
    }

    private static Map<String, Object> blocked(ObjectNode purge) {
        return Map.of("block", true, "user_id", purge.path("by").asString());
    }

    /** The id names the room, so that every instance knows the deletion. */
    private static String deleteId(String room) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(room.getBytes(StandardCharsets.UTF_8));
    }

    private static RoomId room(Caller caller, String deleteId) {
        try {
            return Local.room(caller, new String(Base64.getUrlDecoder().decode(deleteId), StandardCharsets.UTF_8));
        } catch (IllegalArgumentException | ApiException _) {
            throw new ApiException(ErrorCode.M_NOT_FOUND, "there is no such deletion");
        }
    }

    /** @param status {@code active} while rows are deleted, then {@code complete} */
    record DeleteStatus(
            @JsonProperty("delete_id") String deleteId,
            @JsonProperty("room_id") String roomId,
            String status,
            @JsonProperty("shutdown_room") Shutdown shutdown) {}

    /** The members and aliases of the deleted room; a purge lists none. */
    record Shutdown(
            @JsonProperty("kicked_users") List<String> kicked,
            @JsonProperty("failed_to_kick_users") List<String> failed,
            @JsonProperty("local_aliases") List<String> aliases,
            @JsonProperty("new_room_id") @Nullable String newRoom) {
        static final Shutdown DONE = new Shutdown(List.of(), List.of(), List.of(), null);
    }
}
