package rookery.room.search;

import java.util.concurrent.Semaphore;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.error.ApiException;

/**
 * How many searches this instance answers at a time. Each reads some megabytes of hits and contexts before the size of its page is known,
 * so that a hundred at once would fill the heap; more are 503.
 */
@Component
final class SearchSlots {
    private final Semaphore free;

    SearchSlots(SearchProperties properties) {
        this.free = new Semaphore(properties.atOnce());
    }

    /** The search with a slot of its own until it ends, fails or is cancelled. */
    <T> Mono<T> within(Mono<T> search) {
        return Mono.defer(() -> free.tryAcquire()
                ? search.doFinally(_ -> free.release())
                : Mono.error(ApiException.unavailable("too many searches are under way, try again in a moment")));
    }
}
