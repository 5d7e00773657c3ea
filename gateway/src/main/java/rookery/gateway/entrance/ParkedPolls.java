// SPDX-License-Identifier: Apache-2.0
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
 * Limits the parked long polls of each user (contract.md 10.7). Excess polls are refused and parked polls continue: a client
 * repeats an ended poll immediately, so ending the oldest poll would keep all polls of the user ending each other.
 */
@Component
class ParkedPolls {
    private static final int RETRY_SECONDS = 5;

    private final Slots<UserId> slots;

    ParkedPolls(PollProperties properties) {
        slots = new Slots<>(properties.ofUserMax(), ParkedPolls::tooMany);
    }

    /** The request; a long poll takes a slot of its user until the end; 429 if no slot is free. */
    Mono<Void> within(Kind kind, Identity identity, Mono<Void> request) {
        return kind == Kind.LONG_POLL && identity instanceof Known known
                ? slots.within(known.user(), request)
                : request;
    }

    private static ApiException tooMany() {
        return new ApiException(ErrorCode.M_LIMIT_EXCEEDED, "too many requests of this user wait for news already")
                .with("retry_after_ms", RETRY_SECONDS * 1000)
                .withRetryAfter(RETRY_SECONDS);
    }
}
