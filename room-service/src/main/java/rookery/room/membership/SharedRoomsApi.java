// SPDX-License-Identifier: Apache-2.0
package rookery.room.membership;

import java.util.List;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.http.Callers;
import rookery.platform.http.ServiceName;

/** Tells auth-service which users share rooms, for access to profiles and devices. Internal. */
@RestController
class SharedRoomsApi {
    private final SharedRooms rooms;

    SharedRoomsApi(SharedRooms rooms) {
        this.rooms = rooms;
    }

    @Callers(ServiceName.AUTH)
    @PostMapping("/internal/rooms/shared")
    Mono<SharedAnswer> shared(@RequestBody SharedQuery query) {
        return rooms.areShared(query.tenant, query.user, query.other).map(SharedAnswer::new);
    }

    /** The others who share a room with the user, by a join, an invitation or a knock. */
    @Callers(ServiceName.AUTH)
    @PostMapping("/internal/rooms/acquainted")
    Mono<AcquaintedAnswer> acquainted(@RequestBody AcquaintedQuery query) {
        return rooms.acquainted(query.tenant, query.user, query.others).map(AcquaintedAnswer::new);
    }

    record AcquaintedQuery(TenantId tenant, UserId user, List<UserId> others) {}

    record AcquaintedAnswer(List<UserId> users) {}

    record SharedQuery(TenantId tenant, UserId user, UserId other) {}

    record SharedAnswer(boolean shared) {}
}
