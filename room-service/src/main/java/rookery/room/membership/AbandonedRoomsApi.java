// SPDX-License-Identifier: Apache-2.0
package rookery.room.membership;

import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantId;
import rookery.platform.http.Callers;
import rookery.platform.http.ServiceName;

/** Lists abandoned rooms, for an operator who purges them. Internal; deletes nothing. */
@RestController
class AbandonedRoomsApi {
    private static final int PAGE = 100;

    private final AbandonedRooms abandoned;

    AbandonedRoomsApi(AbandonedRooms abandoned) {
        this.abandoned = abandoned;
    }

    /** At most 100 rooms with ids after the given one, ordered by id. */
    @Callers(ServiceName.OPERATOR)
    @GetMapping("/internal/rooms/abandoned")
    Mono<AbandonedRoomsPage> abandoned(@RequestParam int tenant, @RequestParam(defaultValue = "") String after) {
        return abandoned.find(new TenantId(tenant), after, PAGE).map(AbandonedRoomsPage::new);
    }

    record AbandonedRoomsPage(List<String> rooms) {}
}
