// SPDX-License-Identifier: Apache-2.0
package rookery.push.userrule;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.publisher.Sinks.Empty;

/**
 * Queues concurrent changes of the same key in the order of arrival, so that they rarely conflict and retry. Not a lock: other
 * processes are unaffected, and a cancelled change lets the next change start early.
 */
final class Turns<K> {
    /** The end of the latest change. */
    private final ConcurrentMap<K, Empty<Void>> last = new ConcurrentHashMap<>();

    /** The work, started after the previous work of the key has ended in any way. */
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
