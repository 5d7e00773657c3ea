// SPDX-License-Identifier: Apache-2.0
package rookery.directory.listing;

import java.util.List;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.platform.http.Callers;
import rookery.platform.http.ServiceName;

/**
 * Searches rooms for administrators, including unpublished rooms, by a part of id, name, topic or alias (contract.md
 * 5.2). Internal.
 */
@RestController
class RoomSearchApi {
    private final ListedRooms rooms;

    RoomSearchApi(ListedRooms rooms) {
        this.rooms = rooms;
    }

    /** At most 10,000 rooms. */
    @Callers(ServiceName.ADMIN)
    @PostMapping("/internal/admin/rooms/search")
    Mono<SearchAnswer> search(@RequestBody Search search) {
        return rooms.search(search.tenant, search.term).map(SearchAnswer::new);
    }

    record Search(TenantId tenant, String term) {}

    record SearchAnswer(List<RoomId> rooms) {}
}
