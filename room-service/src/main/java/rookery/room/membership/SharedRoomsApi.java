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
    Mono<Answer> shared(@RequestBody Question question) {
        return rooms.areShared(question.tenant, question.user, question.other).map(Answer::new);
    }

    /** The others who share a room with the user, by a join, an invitation or a knock. */
    @Callers(ServiceName.AUTH)
    @PostMapping("/internal/rooms/acquainted")
    Mono<UsersAnswer> acquainted(@RequestBody People people) {
        return rooms.acquainted(people.tenant, people.user, people.others).map(UsersAnswer::new);
    }

    record People(TenantId tenant, UserId user, List<UserId> others) {}

    record UsersAnswer(List<UserId> users) {}

    record Question(TenantId tenant, UserId user, UserId other) {}

    record Answer(boolean shared) {}
}
