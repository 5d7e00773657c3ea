package rookery.room.media;

import java.time.Clock;
import java.util.random.RandomGenerator;
import org.springframework.stereotype.Component;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.MediaId;
import rookery.room.media.MediaFiles.Reservations;

/** Reserves media ids, so a message can refer to a file before the upload. */
@Component
class Reserver {
    private static final int MS = 1000;

    private final MediaFiles files;
    private final MediaUsage usage;
    private final TransactionalOperator tx;
    private final RoomMediaProperties properties;
    private final Clock clock;
    private final RandomGenerator random;

    Reserver(
            MediaFiles files,
            MediaUsage usage,
            TransactionalOperator tx,
            RoomMediaProperties properties,
            Clock clock,
            RandomGenerator random) {
        this.files = files;
        this.usage = usage;
        this.tx = tx;
        this.properties = properties;
        this.clock = clock;
        this.random = random;
    }

    /** A reserved id, and the end of the reservation in ms. */
    record Reservation(MediaId id, long unusedUntilMillis) {}

    /** M_LIMIT_EXCEEDED for a user with too many open reservations. */
    Mono<Reservation> reserve(Caller caller) {
        return Mono.defer(() -> {
                    long now = clock.millis();
                    var reservation = new Reservation(
                            MediaId.next(random),
                            now + properties.reservationLife().toMillis());
                    return usage.lock(caller.tenant(), caller.user())
                            .then(files.reservations(caller.tenant(), caller.user(), now))
                            .doOnNext(others -> requireFew(others, now))
                            .then(files.reserve(
                                    caller.tenant(), reservation.id, caller.user(), now, reservation.unusedUntilMillis))
                            .thenReturn(reservation);
                })
                .as(tx::transactional);
    }

    private void requireFew(Reservations others, long now) {
        if (others.count() >= properties.reservationsMax()) {
            long waitMs = Math.max(1, others.firstEndMillis() - now);
            throw new ApiException(ErrorCode.M_LIMIT_EXCEEDED, "upload to the ids that you have reserved first")
                    .with("retry_after_ms", waitMs)
                    .withRetryAfter((int) ((waitMs + MS - 1) / MS));
        }
    }
}
