package rookery.gateway.entrance;

import java.util.concurrent.ConcurrentHashMap;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.gateway.routing.Load;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;

/**
 * How many large answers each user has under way at this gateway. Each holds memory in a service until it is read, and who reads slowly,
 * or asks for many at once, would hold all of it.
 */
@Component
class HeavyRequests {
    private static final int PAUSE_MS = 1000;

    private final HeavyProperties limits;
    private final ConcurrentHashMap<Place, Integer> underWay = new ConcurrentHashMap<>();

    HeavyRequests(HeavyProperties limits) {
        this.limits = limits;
    }

    private record Place(int tenant, String owner, Load load) {}

    /** The answer, which counts for its owner until it has ended in whatever way; M_LIMIT_EXCEEDED if the owner has too many. */
    Mono<Void> limited(int tenant, String owner, Load load, Mono<Void> answer) {
        return load == Load.LIGHT ? answer : Mono.defer(() -> counted(new Place(tenant, owner, load), answer));
    }

    private Mono<Void> counted(Place place, Mono<Void> answer) {
        if (underWay.merge(place, 1, Integer::sum) > most(place.load)) {
            ended(place);
            return Mono.error(tooMany(place.load));
        }
        return answer.doFinally(_ -> ended(place));
    }

    private int most(Load load) {
        return switch (load) {
            case DOWNLOAD -> limits.downloads();
            case READ -> limits.reads();
            case LIGHT -> Integer.MAX_VALUE;
        };
    }

    private void ended(Place place) {
        underWay.computeIfPresent(place, (_, count) -> count == 1 ? null : count - 1);
    }

    private ApiException tooMany(Load load) {
        String what = load == Load.DOWNLOAD ? "downloads" : "reads of much at once";
        return new ApiException(
                        ErrorCode.M_LIMIT_EXCEEDED,
                        "at most %d %s of one user are answered at a time".formatted(most(load), what))
                .with("retry_after_ms", PAUSE_MS)
                .withRetryAfter(PAUSE_MS / 1000);
    }
}
