package rookery.room.timeline;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
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

/** Events of any rooms, as a user sees them: push-service lists them as notifications (contract.md 11.5). Internal. */
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

    /** What the user does not see is not in the answer, nor is what was redacted. */
    @Callers(ServiceName.PUSH)
    @PostMapping("/internal/events")
    Mono<Answer> events(@RequestBody Question question) {
        var byRoom = question.events.stream()
                .collect(Collectors.groupingBy(
                        EventRequest::roomId, Collectors.mapping(EventRequest::eventId, Collectors.toList())));
        var caller = question.caller();
        return Flux.fromIterable(byRoom.entrySet())
                .concatMap(room -> ofRoom(caller, new TenantRoom(question.tenant, room.getKey()), room.getValue()))
                .collectList()
                .map(EventsOfUserApi::answer);
    }

    private Mono<Map<String, JsonText>> ofRoom(Caller caller, TenantRoom room, List<EventId> ids) {
        return reader.anyReading(room, caller.user())
                .flatMap(reading -> timeline.findAll(room, ids).flatMap(events -> texts(caller, reading, events)));
    }

    private Mono<Map<String, JsonText>> texts(Caller caller, ReaderInRoom reading, List<StoredEvent> events) {
        var seen = events.stream()
                .filter(event -> event.event().redactedBecauseJson() == null
                        && (reading.sees(event) || isInvite(event, caller.user())))
                .toList();
        return shown.showAll(seen, reading, caller).map(texts -> {
            var byId = new HashMap<String, JsonText>();
            for (int i = 0; i < texts.size(); i++) {
                byId.put(seen.get(i).event().meta().eventId().value(), texts.get(i));
            }
            return byId;
        });
    }

    /** Whoever is invited is told so, and sees nothing else of the room yet. */
    private static boolean isInvite(StoredEvent event, UserId user) {
        var meta = event.event().meta();
        return meta.membership() == Membership.INVITE && user.value().equals(meta.stateKey());
    }

    private static Answer answer(List<Map<String, JsonText>> rooms) {
        var all = new HashMap<String, JsonText>();
        rooms.forEach(all::putAll);
        return new Answer(all);
    }

    record Question(TenantId tenant, UserId user, DeviceId device, List<EventRequest> events) {
        private Caller caller() {
            var server = new ServerName(user.value().substring(user.value().indexOf(':') + 1));
            return new Caller(tenant, server, new Known(user, device, false), "", "", Instant.MAX);
        }
    }

    record EventRequest(
            @JsonProperty("room_id") RoomId roomId,
            @JsonProperty("event_id") EventId eventId) {}

    /** @param events by id, each with its room */
    record Answer(Map<String, JsonText> events) {}
}
