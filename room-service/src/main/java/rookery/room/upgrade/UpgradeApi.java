// SPDX-License-Identifier: Apache-2.0
package rookery.room.upgrade;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.TenantRoom;
import rookery.platform.http.Callers;
import rookery.platform.http.JsonBody;
import rookery.platform.http.ServiceName;
import rookery.room.table.Upgrades;

/** Upgrades a room (contract.md 8.4). Errors: M_UNSUPPORTED_ROOM_VERSION, M_FORBIDDEN, M_MISSING_PARAM, M_BAD_JSON. */
@RestController
class UpgradeApi {
    private final Upgrader upgrader;
    private final Upgrades upgrades;

    UpgradeApi(Upgrader upgrader, Upgrades upgrades) {
        this.upgrader = upgrader;
        this.upgrades = upgrades;
    }

    @PostMapping("/_api/client/v3/rooms/{roomId}/upgrade")
    Mono<UpgradeAnswer> upgrade(Caller caller, @PathVariable RoomId roomId, JsonBody body) {
        return upgrader.upgrade(caller, roomId, body).map(UpgradeAnswer::new);
    }

    /** The predecessor by the table, whatever the create event claims; M_NOT_FOUND for a room without a predecessor. Internal. */
    @Callers(ServiceName.DIRECTORY)
    @GetMapping("/internal/rooms/{roomId}/predecessor")
    Mono<Predecessor> predecessor(@PathVariable RoomId roomId, @RequestParam int tenant) {
        return upgrades.predecessor(new TenantRoom(new TenantId(tenant), roomId))
                .map(Predecessor::new)
                .switchIfEmpty(
                        Mono.error(() -> new ApiException(ErrorCode.M_NOT_FOUND, "the room has no predecessor")));
    }

    record UpgradeAnswer(@JsonProperty("replacement_room") RoomId replacementRoom) {}

    record Predecessor(@JsonProperty("room_id") RoomId roomId) {}
}
