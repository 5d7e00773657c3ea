package rookery.room.membership;

import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantId;
import rookery.platform.http.Callers;
import rookery.platform.http.ServiceName;

/** Which rooms could be deleted because nobody can see them any more. Internal; nothing is deleted here. */
@RestController
class AbandonedRoomsApi {
    private static final int PAGE = 100;

    private final AbandonedRooms abandoned;

    AbandonedRoomsApi(AbandonedRooms abandoned) {
        this.abandoned = abandoned;
    }

    /** At most 100, ordered by id, after the given one. */
    @Callers(ServiceName.OPERATOR)
    @GetMapping("/internal/rooms/abandoned")
    Mono<Page> abandoned(@RequestParam int tenant, @RequestParam(defaultValue = "") String after) {
        return abandoned.find(new TenantId(tenant), after, PAGE).map(Page::new);
    }

    record Page(List<String> rooms) {}
}
