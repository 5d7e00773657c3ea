package rookery.sync.inbox;

import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.event.Membership;
import rookery.model.id.RoomId;
import rookery.model.id.TenantUser;
import rookery.sync.inbox.MembershipsClient.RoomMembership;

/** The joined rooms of any user, read from room-service. */
@Component
public class JoinedRooms {
    private final MembershipsClient memberships;

    JoinedRooms(MembershipsClient memberships) {
        this.memberships = memberships;
    }

    /** The rooms that the user is joined to; empty for an unknown user. */
    public Mono<Set<RoomId>> of(TenantUser user) {
        return memberships
                .of(user, null)
                .map(snapshot -> snapshot.rooms().stream()
                        .filter(room -> room.membership() == Membership.JOIN)
                        .map(RoomMembership::roomId)
                        .collect(Collectors.toSet()));
    }
}
