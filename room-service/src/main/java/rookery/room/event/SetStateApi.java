// SPDX-License-Identifier: Apache-2.0
package rookery.room.event;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;
import rookery.model.id.EventId;
import rookery.model.id.RoomId;
import rookery.platform.http.JsonBody;

/** Sets state (contract.md 8.1); member events as by the membership endpoints. Errors: those of sending, and M_BAD_ALIAS. */
@RestController
class SetStateApi {
    private final StateSetter setter;

    SetStateApi(StateSetter setter) {
        this.setter = setter;
    }

    @PutMapping({"/_api/client/v3/rooms/{roomId}/state/{type}", "/_api/client/v3/rooms/{roomId}/state/{type}/"})
    Mono<Set> set(Caller caller, @PathVariable RoomId roomId, @PathVariable String type, JsonBody content) {
        return set(caller, roomId, type, "", content);
    }

    @PutMapping("/_api/client/v3/rooms/{roomId}/state/{type}/{stateKey}")
    Mono<Set> set(
            Caller caller,
            @PathVariable RoomId roomId,
            @PathVariable String type,
            @PathVariable String stateKey,
            JsonBody content) {
        return setter.set(caller, roomId, type, stateKey, content).map(Set::new);
    }

    record Set(@JsonProperty("event_id") EventId eventId) {}
}
