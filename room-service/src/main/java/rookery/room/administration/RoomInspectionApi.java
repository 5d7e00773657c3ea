// SPDX-License-Identifier: Apache-2.0
package rookery.room.administration;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.event.Membership;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.TenantRoom;
import rookery.model.id.UserId;
import rookery.platform.http.Callers;
import rookery.platform.http.ListLines;
import rookery.platform.http.ServiceName;
import rookery.room.table.Purges;
import rookery.room.table.Purges.PurgeState;
import rookery.room.table.StoredEvent;
import rookery.room.timeline.LargeStates;
import rookery.room.timeline.RoomReader;
import rookery.room.timeline.RoomReader.ReaderInRoom;
import rookery.room.timeline.ShownEvents;
import rookery.room.timeline.StateRows;
import tools.jackson.databind.json.JsonMapper;

/**
 * Members and state of rooms, and rooms of users, for administrators (contract.md 5.7). Internal: admin-service has already checked
 * the administrator's rights.
 */
@RestController
class RoomInspectionApi {
    private static final JsonMapper JSON = JsonMapper.shared();

    private final RoomReader reader;
    private final LargeStates largeStates;
    private final StateRows states;
    private final ShownEvents shown;
    private final Purges purges;

    RoomInspectionApi(RoomReader reader, LargeStates largeStates, StateRows states, ShownEvents shown, Purges purges) {
        this.reader = reader;
        this.largeStates = largeStates;
        this.states = states;
        this.shown = shown;
        this.purges = purges;
    }

    /** The ids of the joined users, as lines ({@link ListLines#whole}). M_NOT_FOUND for an unknown room. */
    @Callers(ServiceName.ADMIN)
    @PostMapping("/internal/admin/rooms/members")
    Flux<byte[]> members(@RequestBody Inspection inspection) {
        return reading(inspection)
                .flatMapMany(reading -> ListLines.whole(largeStates
                        .membersAt(reading.room(), reading.shard(), reading.head(), List.of(Membership.JOIN.word))
                        .map(events ->
                                events.stream().map(RoomInspectionApi::member).toList())));
    }

    private static String member(StoredEvent event) {
        return JSON.writeValueAsString(
                Objects.requireNonNull(event.event().meta().stateKey()));
    }

    /** The current state, as lines ({@link ListLines#whole}). M_NOT_FOUND for an unknown room. */
    @Callers(ServiceName.ADMIN)
    @PostMapping("/internal/admin/rooms/state")
    Flux<byte[]> state(@RequestBody Inspection inspection) {
        return reading(inspection)
                .flatMapMany(reading -> ListLines.whole(largeStates
                        .at(reading.room(), reading.shard(), reading.head())
                        .map(events -> shown.texts(events, reading, inspection.caller()))));
    }

    private Mono<ReaderInRoom> reading(Inspection inspection) {
        return reader.anyReading(new TenantRoom(inspection.tenant, inspection.room), inspection.by)
                .switchIfEmpty(Mono.error(RoomInspectionApi::unknown));
    }

    private static ApiException unknown() {
        return new ApiException(ErrorCode.M_NOT_FOUND, "there is no such room");
    }

    /** M_NOT_FOUND for a room that was not purged. */
    @Callers(ServiceName.ADMIN)
    @PostMapping("/internal/admin/rooms/purged")
    Mono<PurgeState> purged(@RequestBody PurgeQuestion question) {
        return purges.find(new TenantRoom(question.tenant, question.room))
                .switchIfEmpty(Mono.error(() -> new ApiException(ErrorCode.M_NOT_FOUND, "the room was not purged")));
    }

    /** All purges of the tenant as lines in the format of {@link ListLines}, the newest first. */
    @Callers(ServiceName.ADMIN)
    @PostMapping("/internal/admin/purges")
    Flux<byte[]> purges(@RequestBody PurgeListRequest request) {
        return ListLines.write(
                purges.count(request.tenant),
                request.after,
                request.limit,
                (key, most) -> purges.after(request.tenant, key, most),
                PurgeState::key);
    }

    @Callers(ServiceName.ADMIN)
    @PostMapping("/internal/admin/users/rooms")
    Mono<JoinedRooms> joinedRooms(@RequestBody UserQuestion question) {
        return states.joinedRooms(question.tenant, question.user).collectList().map(JoinedRooms::new);
    }

    /** @param by the administrator */
    record Inspection(TenantId tenant, RoomId room, UserId by) {
        private Caller caller() {
            return new Administrator(tenant, by).caller();
        }
    }

    record PurgeQuestion(TenantId tenant, RoomId room) {}

    /** A page that begins after the key {@code after}, empty for the first page; null {@code limit} for all purges. */
    record PurgeListRequest(
            TenantId tenant, String after, @Nullable Integer limit) {}

    record UserQuestion(TenantId tenant, UserId user) {}

    record JoinedRooms(@JsonProperty("joined_rooms") List<String> joinedRooms) {}
}
