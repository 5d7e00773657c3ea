package rookery.push.userrule;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.publisher.Sinks.Empty;

/**
 * Lets those who want the same thing wait for each other in the order in which they came, so that they need not overtake and
 * retry. It is no lock: another process knows nothing of it, and whoever gives up lets the next one go early.
 */
final class Turns<K> {
    /** The end of the latest turn. */
    private final ConcurrentMap<K, Empty<Void>> last = new ConcurrentHashMap<>();

    /** The work, once the one that came before has ended, however it ended. */
    Mono<Void> inTurn(K key, Mono<Void> work) {
        return Mono.defer(() -> {
            var end = Sinks.<Void>empty();
            var before = last.put(key, end);
            var begin = before == null ? Mono.<Void>empty() : before.asMono();
            return begin.then(work).doFinally(_ -> end(key, end));
        });
    }

    private void end(K key, Empty<Void> end) {
        last.remove(key, end);
        end.tryEmitEmpty();
    }
}
