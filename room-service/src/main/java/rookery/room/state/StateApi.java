// SPDX-License-Identifier: Apache-2.0
package rookery.room.state;

import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.RoomId;
import rookery.platform.http.JsonStream;
import rookery.platform.json.CanonicalJson;
import rookery.platform.json.JsonText;
import rookery.room.table.StoredEvent;
import rookery.room.timeline.LargeStates;
import rookery.room.timeline.RoomReader;
import rookery.room.timeline.ShownEvents;
import rookery.room.timeline.StateRows;

/**
 * State of a room: the current state for members, the state at the leave for former members (contract.md 8.1). Errors:
 * M_FORBIDDEN, M_NOT_FOUND, M_INVALID_PARAM.
 */
@RestController
class StateApi {
    private final RoomReader reader;
    private final StateRows states;
    private final LargeStates largeStates;
    private final ShownEvents shown;

    StateApi(RoomReader reader, StateRows states, LargeStates largeStates, ShownEvents shown) {
        this.reader = reader;
        this.states = states;
        this.largeStates = largeStates;
        this.shown = shown;
    }

    @GetMapping(path = "/_api/client/v3/rooms/{roomId}/state", produces = MediaType.APPLICATION_JSON_VALUE)
    Flux<byte[]> all(Caller caller, @PathVariable RoomId roomId) {
        return reader.reading(caller, roomId).flatMapMany(reading -> {
            var portions = largeStates
                    .at(reading.room(), reading.shard(), reading.statePos())
                    .map(events -> shown.texts(events, reading, caller));
            return JsonStream.of("[", portions, "]");
        });
    }

    @GetMapping({
        "/_api/client/v3/rooms/{roomId}/state/{type}",
        "/_api/client/v3/rooms/{roomId}/state/{type}/",
        "/_api/client/v3/rooms/{roomId}/state/{type}/{stateKey}"
    })
    Mono<JsonText> one(
            Caller caller,
            @PathVariable RoomId roomId,
            @PathVariable String type,
            @PathVariable(required = false) @Nullable String stateKey,
            @RequestParam(defaultValue = "content") String format) {
        if (!format.equals("content") && !format.equals("event")) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "format is content or event");
        }
        // no event has U+0000 in its type or state key, and PostgreSQL refuses such a parameter
        String key = stateKey == null ? "" : stateKey;
        boolean canBe = type.indexOf('\0') < 0 && key.indexOf('\0') < 0;
        return reader.reading(caller, roomId)
                .filter(_ -> canBe)
                .flatMap(reading -> states.at(reading.room(), reading.shard(), reading.statePos(), type, key)
                        .map(event -> format.equals("event") ? shown.show(event, reading, caller) : content(event)))
                .switchIfEmpty(Mono.error(() -> new ApiException(ErrorCode.M_NOT_FOUND, "there is no such state")));
    }

    private static JsonText content(StoredEvent event) {
        return new JsonText(CanonicalJson.write(event.content()));
    }
}
