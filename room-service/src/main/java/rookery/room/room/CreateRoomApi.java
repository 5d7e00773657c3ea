// SPDX-License-Identifier: Apache-2.0
package rookery.room.room;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;
import rookery.model.id.RoomId;
import rookery.platform.http.JsonBody;

/**
 * Creates a room (contract.md 8.2). Errors: M_ROOM_IN_USE, M_INVALID_ROOM_STATE, M_UNSUPPORTED_ROOM_VERSION,
 * M_INVALID_PARAM, M_BAD_JSON.
 */
@RestController
class CreateRoomApi {
    private final RoomCreator creator;

    CreateRoomApi(RoomCreator creator) {
        this.creator = creator;
    }

    @PostMapping("/_api/client/v3/createRoom")
    Mono<CreateRoomAnswer> create(Caller caller, JsonBody body) {
        return creator.create(caller, body).map(CreateRoomAnswer::new);
    }

    record CreateRoomAnswer(@JsonProperty("room_id") RoomId roomId) {}
}
