// SPDX-License-Identifier: Apache-2.0
package rookery.room.delayed;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.EventId;
import rookery.model.id.RoomId;
import rookery.platform.http.Access;
import rookery.platform.http.Access.Level;
import rookery.platform.http.JsonBody;
import rookery.platform.json.StrictJson;
import rookery.room.table.DelayedEvents;
import tools.jackson.databind.JsonNode;

/** Shows and changes delayed events (contract.md 8.5). Errors: M_NOT_FOUND, M_INVALID_PARAM, 409 M_UNKNOWN, those of sending. */
@RestController
class DelayedEventApi {
    private static final String PATH = "/_api/client/unstable/org.matrix.msc4140/delayed_events";
    private static final Map<String, Object> NOTHING = Map.of();

    private final DelayedEventChanger changer;
    private final DelayedEventPages pages;

    DelayedEventApi(DelayedEventChanger changer, DelayedEventPages pages) {
        this.changer = changer;
        this.pages = pages;
    }

    /** Without a token, because the delay id is secret and may be given to a service that watches a call. */
    @Access(Level.NONE)
    @PostMapping(PATH + "/{delayId}/{action}")
    Mono<Map<String, Object>> act(Caller caller, @PathVariable String delayId, @PathVariable String action) {
        var key = new DelayedEvents.Key(caller.tenant(), delayId);
        return changer.act(key, action).thenReturn(NOTHING);
    }

    /** The older form, with the action in the body. */
    @Access(Level.NONE)
    @PostMapping(PATH + "/{delayId}")
    Mono<Map<String, Object>> act(Caller caller, @PathVariable String delayId, JsonBody body) {
        return act(caller, delayId, body.string("action"));
    }

    @GetMapping(PATH + "/{delayId}")
    Mono<ShownEvent> event(Caller caller, @PathVariable String delayId) {
        return pages.find(caller, delayId).map(ShownEvent::of);
    }

    /** @param status {@code scheduled} or {@code finalised}; both without it */
    @GetMapping(PATH)
    Mono<ShownEvents> events(
            Caller caller,
            @RequestParam(required = false) @Nullable String status,
            @RequestParam(required = false) @Nullable String from) {
        if (status != null && !status.equals("scheduled") && !status.equals("finalised")) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "status is scheduled or finalised");
        }
        return pages.page(caller, status, from)
                .map(page -> new ShownEvents(
                        page.events().stream().map(ShownEvent::of).toList(), page.nextBatch()));
    }

    @JsonInclude(JsonInclude.Include.NON_NULL)
    record ShownEvents(
            @JsonProperty("delayed_events") List<ShownEvent> delayedEvents,
            @JsonProperty("next_batch") @Nullable String nextBatch) {}

    @JsonInclude(JsonInclude.Include.NON_NULL)
    record ShownEvent(
            @JsonProperty("delay_id") String delayId,
            @JsonProperty("room_id") RoomId roomId,
            String type,
            @JsonProperty("state_key") @Nullable String stateKey,
            long delay,
            @JsonProperty("running_since") long runningSince,
            JsonNode content,
            @Nullable JsonNode error,
            @JsonProperty("event_id") @Nullable EventId eventId,
            @JsonProperty("origin_server_ts") @Nullable Long finishedMillis) {
        static ShownEvent of(ScheduledEvent event) {
            return new ShownEvent(
                    event.key().delayId(),
                    event.room(),
                    event.type(),
                    event.stateKey(),
                    event.delayMillis(),
                    event.dueMillis() - event.delayMillis(),
                    event.body().json(),
                    event.error() == null ? null : StrictJson.object(event.error()),
                    event.event(),
                    event.finishedMillis());
        }
    }
}
