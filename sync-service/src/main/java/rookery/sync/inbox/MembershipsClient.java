package rookery.sync.inbox;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.web.util.UriUtils;
import reactor.core.publisher.Mono;
import rookery.model.event.Membership;
import rookery.model.id.RoomId;
import rookery.platform.http.ServiceClient;

/** Asks room-service what a user is to which rooms. */
@Component
class MembershipsClient {
    private final ServiceClient services;

    MembershipsClient(ServiceClient services) {
        this.services = services;
    }

    /** All rooms that the user is joined, invited or knocking to, as of one moment; the positions say which. */
    Mono<Snapshot> of(UserKey user) {
        String id = user.user().value();
        String path = "/internal/users/" + UriUtils.encode(id, StandardCharsets.UTF_8) + "/memberships?tenant="
                + user.tenant().value();
        return services.get("room-service", id, path, Snapshot.class);
    }

    @SuppressWarnings("ArrayRecordComponent") // a wire shape, made and read once
    record Snapshot(long epoch, long[] positions, List<Room> rooms) {}

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
