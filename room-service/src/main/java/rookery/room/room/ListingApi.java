// SPDX-License-Identifier: Apache-2.0
package rookery.room.room;

import java.util.Map;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.TenantRoom;
import rookery.model.id.UserId;
import rookery.platform.http.Callers;
import rookery.platform.http.ServiceName;
import rookery.room.draft.RoomDraft.OfListing;
import rookery.room.roomlog.RoomLog;

/** Sets whether a room is in the room directory: decided here from the power levels, shown by directory-service. Internal. */
@RestController
class ListingApi {
    private final RoomLog roomLog;

    ListingApi(RoomLog roomLog) {
        this.roomLog = roomLog;
    }

    /** M_NOT_FOUND for an unknown room; M_FORBIDDEN for a user who may not change the canonical alias and is no administrator. */
    @Callers(ServiceName.DIRECTORY)
    @PostMapping("/internal/rooms/{roomId}/listing")
    Mono<Map<String, Object>> list(@PathVariable RoomId roomId, @RequestBody ListingRequest request) {
        var room = new TenantRoom(request.tenant, roomId);
        return roomLog.require(room)
                .then(Mono.defer(
                        () -> roomLog.append(new OfListing(room, request.user, request.published, request.admin))))
                .thenReturn(Map.of());
    }

    record ListingRequest(TenantId tenant, UserId user, boolean published, boolean admin) {}
}
