// SPDX-License-Identifier: Apache-2.0
package rookery.sync.inbox;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.web.util.UriComponentsBuilder;
import reactor.core.publisher.Mono;
import rookery.model.event.Membership;
import rookery.model.id.RoomId;
import rookery.model.id.TenantUser;
import rookery.model.token.Positions;
import rookery.platform.http.ServiceClient;
import rookery.sync.ring.EarlierMemberships;

/** Reads a user's memberships from room-service. */
@Component
public class MembershipsClient {
    private final ServiceClient services;

    MembershipsClient(ServiceClient services) {
        this.services = services;
    }

    /** All rooms where the user is joined, invited or knocking, and those left after the positions, if given. */
    Mono<Snapshot> of(TenantUser user, @Nullable Positions after) {
        String id = user.user().value();
        var uri = UriComponentsBuilder.fromPath("/internal/users/{user}/memberships")
                .queryParam("tenant", user.tenant().value());
        if (after != null) {
            uri.queryParam(
                    "after",
                    LongStream.of(after.toArray()).mapToObj(Long::toString).collect(Collectors.joining(",")));
        }
        return services.get("room-service", id, uri.encode().buildAndExpand(id).toUriString(), Snapshot.class)
                .map(read -> new Snapshot(read.epoch, read.positions, read.rooms, after));
    }

    /** The rooms that any user is joined to; empty for an unknown user. */
    public Mono<Set<RoomId>> joinedRooms(TenantUser user) {
        return of(user, null)
                .map(snapshot -> snapshot.rooms.stream()
                        .filter(room -> room.membership == Membership.JOIN)
                        .map(RoomMembership::roomId)
                        .collect(Collectors.toSet()));
    }

    /** @param after the snapshot contains all rooms of the user since these positions; null for the snapshot's own positions */
    @SuppressWarnings("ArrayRecordComponent") // a wire shape, made and read once
    record Snapshot(
            long epoch,
            long[] positions,
            List<RoomMembership> rooms,
            @JsonIgnore @Nullable Positions after) {}

    /**
     * A membership, with the position of its member event, and for joined rooms the start of the membership and the memberships
     * before, unless there are many.
     */
    record RoomMembership(
            @JsonProperty("room_id") RoomId roomId,
            int shard,
            Membership membership,
            long pos,
            @JsonProperty("joined_from") @Nullable Long joinedFrom,
            @Nullable EarlierMemberships earlier) {}
}
