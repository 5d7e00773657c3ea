// SPDX-License-Identifier: Apache-2.0
package rookery.push.notification;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;
import rookery.model.id.DeviceId;
import rookery.model.id.EventId;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.http.ServiceClient;
import rookery.push.notification.NotificationRows.Notification;
import tools.jackson.databind.JsonNode;

/** Reads events from room-service as a user sees them. */
@Component
class EventsClient {
    private final ServiceClient services;

    EventsClient(ServiceClient services) {
        this.services = services;
    }

    /**
     * The visible events of a page of notifications.
     *
     * @param byId without redacted events and events that the user may not see
     * @param looked number of requested notifications covered by the answer, which is limited in bytes
     */
    record FoundEvents(Map<String, JsonNode> byId, int looked) {}

    Mono<FoundEvents> find(Caller caller, List<Notification> notifications) {
        if (notifications.isEmpty()) {
            return Mono.just(new FoundEvents(Map.of(), 0));
        }
        var events = notifications.stream()
                .map(notification -> new EventRequest(notification.room(), notification.event()))
                .toList();
        var request = new EventsRequest(caller.tenant(), caller.user(), caller.device(), events);
        return services.post("room-service", caller.user().value(), "/internal/events", request, EventsAnswer.class)
                .map(answer ->
                        new FoundEvents(answer.events, answer.looked == null ? notifications.size() : answer.looked));
    }

    record EventsRequest(TenantId tenant, UserId user, DeviceId device, List<EventRequest> events) {}

    record EventRequest(
            @JsonProperty("room_id") RoomId roomId,
            @JsonProperty("event_id") EventId eventId) {}

    record EventsAnswer(
            Map<String, JsonNode> events, @Nullable Integer looked) {}
}
