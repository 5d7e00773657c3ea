// SPDX-License-Identifier: Apache-2.0
package rookery.room.space;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.event.Membership;
import rookery.model.id.RoomAlias;
import rookery.model.id.RoomId;
import rookery.model.id.TenantRoom;
import rookery.room.membership.AliasClient;
import rookery.room.space.HierarchyApi.HierarchyRoom;
import rookery.room.timeline.RoomReader;

/** The summary of an accessible room (contract.md 8.1). M_NOT_FOUND for an unknown room and for an inaccessible room. */
@RestController
class RoomSummaryApi {
    private final SpaceRows rows;
    private final RoomReader reader;
    private final AliasClient aliases;

    RoomSummaryApi(SpaceRows rows, RoomReader reader, AliasClient aliases) {
        this.rows = rows;
        this.reader = reader;
        this.aliases = aliases;
    }

    @GetMapping("/_api/client/v1/room_summary/{roomIdOrAlias}")
    Mono<Summary> summary(Caller caller, @PathVariable String roomIdOrAlias) {
        return room(caller, roomIdOrAlias)
                .flatMap(room -> rows.accessible(caller, List.of(room)))
                .filter(rooms -> !rooms.rooms().isEmpty())
                .flatMap(rooms -> summary(caller, rooms.rooms().getFirst()))
                .switchIfEmpty(Mono.error(() -> new ApiException(ErrorCode.M_NOT_FOUND, "there is no such room")));
    }

    /** The unstable form of MSC3266, with its names for some fields in addition. */
    @GetMapping({
        "/_api/client/unstable/im.nheko.summary/summary/{roomIdOrAlias}",
        "/_api/client/unstable/im.nheko.summary/rooms/{roomIdOrAlias}/summary"
    })
    Mono<UnstableSummary> unstable(Caller caller, @PathVariable String roomIdOrAlias) {
        return summary(caller, roomIdOrAlias)
                .map(summary -> new UnstableSummary(
                        summary, summary.entry.roomVersion(), summary.entry.encryption(), summary.entry.roomVersion()));
    }

    private Mono<RoomId> room(Caller caller, String roomIdOrAlias) {
        return roomIdOrAlias.startsWith("#")
                ? aliases.find(caller.tenant(), new RoomAlias(roomIdOrAlias))
                : Mono.fromSupplier(() -> new RoomId(roomIdOrAlias));
    }

    private Mono<Summary> summary(Caller caller, SpaceRoom room) {
        return reader.anyReading(new TenantRoom(caller.tenant(), room.room()), caller.user())
                .map(reading -> new Summary(
                        HierarchyApi.entry(room, null),
                        reading.history().spans().isEmpty()
                                ? null
                                : reading.history().now()));
    }

    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Summary(
            @JsonUnwrapped HierarchyRoom entry, @Nullable Membership membership) {}

    @JsonInclude(JsonInclude.Include.NON_NULL)
    record UnstableSummary(
            @JsonUnwrapped Summary summary,

            @JsonProperty("im.nheko.summary.room_version") @Nullable
            String roomVersion,

            @JsonProperty("im.nheko.summary.encryption") @Nullable
            String encryption,

            @JsonProperty("im.nheko.summary.version") @Nullable
            String version) {}
}
