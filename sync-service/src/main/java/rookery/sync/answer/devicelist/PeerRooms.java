// SPDX-License-Identifier: Apache-2.0
package rookery.sync.answer.devicelist;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.util.Set;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.RoomId;
import rookery.model.id.TenantUser;
import rookery.sync.answer.devicelist.WarmDeviceLists.Departure;
import rookery.sync.inbox.MembershipsClient;

/**
 * The rooms of users who left a room, read once for all remaining members: each member's node checks whether another shared room
 * is left. The rooms are as of a moment after the departure; a room joined since then is reported by the join.
 */
@Component
class PeerRooms {
    private static final Duration KEPT = Duration.ofSeconds(30);
    private static final int USERS_MAX = 500;

    private final MembershipsClient memberships;
    private final Cache<DepartureKey, Mono<Set<RoomId>>> cache =
            Caffeine.newBuilder().maximumSize(USERS_MAX).expireAfterWrite(KEPT).build();

    private record DepartureKey(TenantUser user, Departure departure) {}

    PeerRooms(MembershipsClient memberships) {
        this.memberships = memberships;
    }

    /** The rooms of the user, at some moment after the departure. */
    Mono<Set<RoomId>> after(TenantUser user, Departure departure) {
        return cache.get(
                new DepartureKey(user, departure),
                _ -> memberships.joinedRooms(user).cache(_ -> KEPT, _ -> Duration.ZERO, () -> Duration.ZERO));
    }
}
