// SPDX-License-Identifier: Apache-2.0
package rookery.room.administration;

import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
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
import rookery.room.administration.MemberList.ListedMember;
import rookery.room.administration.MemberList.Members;
import rookery.room.authorization.PowerLevels;
import rookery.room.timeline.RoomReader;
import rookery.room.timeline.StateRows;

/** Pages of a room's members, for administrators. Internal: admin-service has already checked the administrator's rights. */
@RestController
class MemberListApi {
    private final RoomReader reader;
    private final StateRows states;
    private final MemberList members;

    MemberListApi(RoomReader reader, StateRows states, MemberList members) {
        this.reader = reader;
        this.states = states;
        this.members = members;
    }

    /**
     * Lines in the format of {@link ListLines}, ordered by user id. M_NOT_FOUND for an unknown room; M_INVALID_PARAM for an unknown
     * membership.
     */
    @Callers(ServiceName.ADMIN)
    @PostMapping("/internal/admin/rooms/member-list")
    Flux<byte[]> list(@RequestBody MemberListRequest request) {
        var membership = request.membership == null ? null : membership(request.membership);
        var room = new TenantRoom(request.tenant, request.room);
        return reader.anyReading(room, request.by)
                .switchIfEmpty(Mono.error(() -> new ApiException(ErrorCode.M_NOT_FOUND, "there is no such room")))
                .zipWhen(states::power)
                .flatMapMany(both -> lines(
                        new Members(room, both.getT1().shard(), membership),
                        both.getT2(),
                        request.after,
                        request.limit));
    }

    private Flux<byte[]> lines(Members listed, PowerLevels power, String after, @Nullable Integer limit) {
        return ListLines.write(
                members.count(listed),
                after,
                limit,
                (key, most) -> members.after(listed, power, key, most),
                ListedMember::key);
    }

    private static Membership membership(String word) {
        return Membership.of(word)
                .orElseThrow(() -> new ApiException(ErrorCode.M_INVALID_PARAM, "there is no such membership"));
    }

    /**
     * A page that begins after the user id {@code after}, empty for the first page; null {@code limit} for all members.
     *
     * @param by the administrator
     * @param membership null for every membership
     */
    record MemberListRequest(
            TenantId tenant,
            RoomId room,
            UserId by,
            @Nullable String membership,
            String after,
            @Nullable Integer limit) {}
}
