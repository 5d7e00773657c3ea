package rookery.gateway.entrance;

import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.gateway.routing.Destination.Kind;
import rookery.model.caller.Caller.Identity;
import rookery.model.caller.Caller.Known;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.UserId;

/**
 * How many requests of one user wait for news here (contract.md 10.7). The next one is refused, and none of before ends: a client whose
 * poll ends asks again at once, so ending the oldest would set all of them in motion.
 */
@Component
class ParkedPolls {
    private static final int RETRY_SECONDS = 5;

    private final Slots<UserId> slots;

    ParkedPolls(PollProperties properties) {
        slots = new Slots<>(properties.ofUserMax(), ParkedPolls::tooMany);
    }

    /** A request that was let in, with a place of its user until it ends; 429 if it is a poll and no place is left. */
    Mono<Void> within(Kind kind, Identity who, Mono<Void> request) {
        return kind == Kind.LONG_POLL && who instanceof Known known ? slots.within(known.user(), request) : request;
    }

    private static ApiException tooMany() {
        return new ApiException(ErrorCode.M_LIMIT_EXCEEDED, "too many requests of this user wait for news already")
                .with("retry_after_ms", RETRY_SECONDS * 1000)
                .withRetryAfter(RETRY_SECONDS);
    }
}
