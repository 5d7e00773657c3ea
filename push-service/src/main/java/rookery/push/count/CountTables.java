package rookery.push.count;

import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** All tables derived from the room log. */
@Component
class CountTables {
    private final Members members;
    private final RoomCohorts roomCohorts;
    private final PastCohorts past;
    private final CohortNotifications notifications;
    private final Exceptions exceptions;
    private final ReadPositions positions;
    private final RoomNames names;

    CountTables(
            Members members,
            RoomCohorts roomCohorts,
            PastCohorts past,
            CohortNotifications notifications,
            Exceptions exceptions,
            ReadPositions positions,
            RoomNames names) {
        this.members = members;
        this.roomCohorts = roomCohorts;
        this.past = past;
        this.notifications = notifications;
        this.exceptions = exceptions;
        this.positions = positions;
        this.names = names;
    }

    /** Deletes the rows of all tenants. */
    Mono<Void> drop() {
        return members.drop()
                .then(roomCohorts.drop())
                .then(past.drop())
                .then(notifications.drop())
                .then(exceptions.drop())
                .then(positions.drop())
                .then(names.drop());
    }
}
