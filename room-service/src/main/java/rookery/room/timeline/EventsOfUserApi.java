// SPDX-License-Identifier: Apache-2.0
package rookery.room.timeline;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;
import rookery.model.caller.Caller.Known;
import rookery.model.event.Membership;
import rookery.model.id.DeviceId;
import rookery.model.id.EventId;
import rookery.model.id.RoomId;
import rookery.model.id.ServerName;
import rookery.model.id.TenantId;
import rookery.model.id.TenantRoom;
import rookery.model.id.UserId;
import rookery.platform.http.Callers;
import rookery.platform.http.ServiceName;
import rookery.platform.json.JsonText;
import rookery.room.table.StoredEvent;
import rookery.room.timeline.RoomReader.ReaderInRoom;
import rookery.room.timeline.TimelineRows.EventOfRoom;
import rookery.room.timeline.TimelineRows.NumberedEvent;

/** Events of any rooms as visible to a user; push-service lists the events as notifications (contract.md 11.5). Internal. */
@RestController
class EventsOfUserApi {
    private final RoomReader reader;
    private final TimelineRows timeline;
    private final ShownEvents shown;

    EventsOfUserApi(RoomReader reader, TimelineRows timeline, ShownEvents shown) {
        this.reader = reader;
        this.timeline = timeline;
        this.shown = shown;
    }

    /** Invisible and redacted events are absent. */
    @Callers(ServiceName.PUSH)
    @PostMapping("/internal/events")
    Mono<EventsAnswer> events(@RequestBody EventsRequest request) {
        var ids = request.events.stream()
                .map(event -> new EventOfRoom(event.roomId, event.eventId))
                .toList();
        var page = new EventsPage(ids.size());
        return timeline.findAll(request.tenant, ids)
                .flatMapMany(events -> Flux.fromIterable(page.byRoom(events)))
                .concatMap(events -> ofRoom(request, events, page))
                .then(Mono.fromSupplier(() -> new EventsAnswer(page.texts(), page.looked())));
    }

    private Mono<Void> ofRoom(EventsRequest request, List<NumberedEvent> events, EventsPage page) {
        if (page.isFull()) {
            page.leaveOut(events);
            return Mono.empty();
        }
        var caller = request.caller();
        return reader.anyReading(
                        new TenantRoom(request.tenant, events.getFirst().room()), caller.user())
                .flatMap(reading -> texts(caller, reading, events, page));
    }

    private Mono<Void> texts(Caller caller, ReaderInRoom reading, List<NumberedEvent> events, EventsPage page) {
        var seen = events.stream()
                .filter(numbered -> isShown(numbered.event(), reading, caller.user()))
                .toList();
        return shown.showAll(seen.stream().map(NumberedEvent::event).toList(), reading, caller)
                .doOnNext(texts -> page.take(seen, texts))
                .then();
    }

    private static boolean isShown(StoredEvent event, ReaderInRoom reading, UserId user) {
        return event.event().redactedBecauseJson() == null && (reading.sees(event) || isInvite(event, user));
    }

    /** An invited user sees only the invite. */
    private static boolean isInvite(StoredEvent event, UserId user) {
        var meta = event.event().meta();
        return meta.membership() == Membership.INVITE && user.value().equals(meta.stateKey());
    }

    record EventsRequest(TenantId tenant, UserId user, DeviceId device, List<EventRequest> events) {
        private Caller caller() {
            var server = new ServerName(user.value().substring(user.value().indexOf(':') + 1));
            return new Caller(tenant, server, new Known(user, device, false), "", "", Instant.MAX);
        }
    }

    record EventRequest(
            @JsonProperty("room_id") RoomId roomId,
            @JsonProperty("event_id") EventId eventId) {}

    /** The visible events of a page by id, each with its room, and how many ids of the request the page has looked at. */
    record EventsAnswer(Map<String, JsonText> events, int looked) {}
}
