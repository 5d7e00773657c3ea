package rookery.room.membership;

import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.http.Callers;
import rookery.platform.http.ServiceName;

/** Who may see whom, for auth-service, which shows profiles. Internal. */
@RestController
class SharedRoomsApi {
    private final SharedRooms rooms;

    SharedRoomsApi(SharedRooms rooms) {
        this.rooms = rooms;
    }

    @Callers(ServiceName.AUTH)
    @PostMapping("/internal/rooms/shared")
    Mono<Answer> shared(@RequestBody Question question) {
        return rooms.areShared(question.tenant, question.user, question.other).map(Answer::new);
    }

    record Question(TenantId tenant, UserId user, UserId other) {}

    record Answer(boolean shared) {}
}
