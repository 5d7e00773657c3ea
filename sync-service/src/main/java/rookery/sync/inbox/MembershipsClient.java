package rookery.sync.inbox;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
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

/** Asks room-service what a user is to which rooms. */
@Component
class MembershipsClient {
    private final ServiceClient services;

    MembershipsClient(ServiceClient services) {
        this.services = services;
    }

    /**
     * All rooms that the user is joined, invited or knocking to, as of one moment; the positions say which.
     *
     * @param after if not null, those too that the user has left after these positions
     */
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

    /** @param after from there on it knows all rooms that the user has been in; null for its own positions */
    @SuppressWarnings("ArrayRecordComponent") // a wire shape, made and read once
    record Snapshot(
            long epoch,
            long[] positions,
            List<Room> rooms,
            @JsonIgnore @Nullable Positions after) {}

    /**
     * One room.
     *
     * @param pos position of the current member event
     * @param joinedFrom position of the member event that began the present time as a member; only if joined
     */
    record Room(
            @JsonProperty("room_id") RoomId roomId,
            int shard,
            Membership membership,
            long pos,
            @JsonProperty("joined_from") @Nullable Long joinedFrom) {}
}
