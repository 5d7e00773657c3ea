// SPDX-License-Identifier: Apache-2.0
package rookery.sync.sliding;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.sync.sliding.Connections.StoredState;

/** The states of connections that this node has read or written lately, so that a request reads nothing from the database. */
@Component
class KnownStates {
    /** The rooms of all kept states together: about 100 bytes each. */
    private static final int ROOMS_MAX = 500_000;

    private final Connections connections;
    private final Map<StateKey, StoredState> states = new LinkedHashMap<>(16, 0.75f, true);
    private long rooms;

    private record StateKey(ConnectionKey connection, long number) {}

    KnownStates(Connections connections) {
        this.connections = connections;
    }

    Mono<StoredState> find(ConnectionKey key, long number) {
        if (number == 0) {
            return Mono.just(StoredState.NONE);
        }
        var known = known(key, number);
        return known != null ? Mono.just(known) : connections.find(key, number).doOnNext(found -> keep(key, found));
    }

    /** Writes the state of an answer, unless equal to that of the request. */
    Mono<StoredState> written(ConnectionKey key, StoredState base, ConnectionState state) {
        return base.number() != 0 && base.state().equals(state)
                ? Mono.just(base)
                : connections.write(key, base, state).doOnNext(written -> keep(key, written));
    }

    private synchronized @Nullable StoredState known(ConnectionKey key, long number) {
        return states.get(new StateKey(key, number));
    }

    private synchronized void keep(ConnectionKey key, StoredState state) {
        var before = states.put(new StateKey(key, state.number()), state);
        rooms += size(state) - (before == null ? 0 : size(before));
        var eldest = states.values().iterator();
        while (rooms > ROOMS_MAX && eldest.hasNext()) {
            rooms -= size(eldest.next());
            eldest.remove();
        }
    }

    private static long size(StoredState state) {
        return 10L + state.state().rooms().size(); // the state itself takes memory, too
    }
}
