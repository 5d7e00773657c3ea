// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.entrance;

import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.gateway.routing.Load;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;

/**
 * Limits the concurrent large answers of each user at this gateway. A large answer occupies memory in a service until the client
 * has read it, so one slow or greedy client could exhaust the service's memory.
 */
@Component
class HeavyRequests {
    private static final int PAUSE_MS = 1000;

    private final Slots<Owner> downloads;
    private final Slots<Owner> reads;

    HeavyRequests(HeavyProperties limits) {
        downloads = new Slots<>(limits.downloads(), () -> tooMany("downloads", limits.downloads()));
        reads = new Slots<>(limits.reads(), () -> tooMany("reads of much at once", limits.reads()));
    }

    private record Owner(int tenant, String name) {}

    /** The answer, which takes a slot of its owner until the end; M_LIMIT_EXCEEDED if no slot is free. */
    Mono<Void> limited(int tenant, String owner, Load load, Mono<Void> answer) {
        return switch (load) {
            case LIGHT, UPLOAD, PASSWORD -> answer;
            case DOWNLOAD -> downloads.within(new Owner(tenant, owner), answer);
            case READ -> reads.within(new Owner(tenant, owner), answer);
        };
    }

    private static ApiException tooMany(String kind, int most) {
        return new ApiException(
                        ErrorCode.M_LIMIT_EXCEEDED,
                        "at most %d %s of one user are answered at a time".formatted(most, kind))
                .with("retry_after_ms", PAUSE_MS)
                .withRetryAfter(PAUSE_MS / 1000);
    }
}
