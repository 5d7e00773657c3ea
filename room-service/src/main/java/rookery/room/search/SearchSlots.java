// SPDX-License-Identifier: Apache-2.0
package rookery.room.search;

import java.util.concurrent.Semaphore;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.error.ApiException;

/**
 * Limits the searches of an instance at a time. Each search reads some megabytes of hits and contexts before the size of the page
 * is known, so a hundred at once would fill the heap; excess searches are 503.
 */
@Component
final class SearchSlots {
    private final Semaphore free;

    SearchSlots(SearchProperties properties) {
        this.free = new Semaphore(properties.atOnce());
    }

    /** Runs a search in a slot, which is released on completion, failure or cancellation. */
    <T> Mono<T> within(Mono<T> search) {
        return Mono.defer(() -> free.tryAcquire()
                ? search.doFinally(_ -> free.release())
                : Mono.error(ApiException.unavailable("too many searches are under way, try again in a moment")));
    }
}
