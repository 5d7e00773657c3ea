// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.entrance;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;
import rookery.model.error.ApiException;

/** Limits the concurrent work of each owner, such as a user or an address. Excess work is refused, never queued. */
final class Slots<K> {
    private final int most;
    private final Supplier<ApiException> refusal;
    private final ConcurrentMap<K, Integer> taken = new ConcurrentHashMap<>();

    Slots(int most, Supplier<ApiException> refusal) {
        this.most = most;
        this.refusal = refusal;
    }

    /** The work occupies a slot until it completes, fails or is cancelled; fails with the refusal if no slot is free. */
    <T> Mono<T> within(K owner, Mono<T> work) {
        return within(owner, most, work);
    }

    /** Like {@link #within(Object, Mono)}, with the owner's own number of slots. */
    <T> Mono<T> within(K owner, long most, Mono<T> work) {
        return Mono.defer(() -> take(owner, most) ? work.doFinally(_ -> release(owner)) : Mono.error(refusal.get()));
    }

    private boolean take(K owner, long most) {
        // a refused request is counted briefly and released at once
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
