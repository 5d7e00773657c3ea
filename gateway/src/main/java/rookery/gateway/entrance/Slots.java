package rookery.gateway.entrance;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;
import rookery.model.error.ApiException;

/** How much of one user, or of one address, this process does at a time. Nothing waits here: more is refused. */
final class Slots<K> {
    private final int most;
    private final Supplier<ApiException> refusal;
    private final ConcurrentMap<K, Integer> taken = new ConcurrentHashMap<>();

    Slots(int most, Supplier<ApiException> refusal) {
        this.most = most;
        this.refusal = refusal;
    }

    /** The work takes a slot until it ends, fails or is cancelled; the refusal as an error if none is left. */
    <T> Mono<T> within(K owner, Mono<T> work) {
        return Mono.defer(() -> take(owner) ? work.doFinally(_ -> release(owner)) : Mono.error(refusal.get()));
    }

    private boolean take(K owner) {
        // one that takes none of those above is counted like the others, and released at once
        if (taken.merge(owner, 1, Integer::sum) <= most) {
            return true;
        }
        release(owner);
        return false;
    }

    private void release(K owner) {
        taken.computeIfPresent(owner, (_, count) -> count == 1 ? null : count - 1);
    }
}
