// SPDX-License-Identifier: Apache-2.0
package rookery.sync.sliding;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.sync.sliding.Connections.StoredState;

/** The states of connections that this node has read or written lately, so that a request reads nothing from the database. */
@Component
class KnownStates {
    private static final int OWN_BYTES = 500;

    private final Connections connections;
    private final long bytesMax;
    private final Map<StateKey, KnownState> states = new LinkedHashMap<>(16, 0.75f, true);
    private long bytes;

    private record StateKey(ConnectionKey connection, long number) {}

    private record KnownState(StoredState state, long bytes) {}

    @Autowired
    KnownStates(Connections connections) {
        this(connections, Runtime.getRuntime().maxMemory() / 16);
    }

    KnownStates(Connections connections, long bytesMax) {
        this.connections = connections;
        this.bytesMax = bytesMax;
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
        var known = states.get(new StateKey(key, number));
        return known == null ? null : known.state;
    }

    private void keep(ConnectionKey key, StoredState state) {
        keep(
                new StateKey(key, state.number()),
                new KnownState(state, OWN_BYTES + state.state().bytes()));
    }

    private synchronized void keep(StateKey key, KnownState state) {
        var before = states.put(key, state);
        bytes += state.bytes - (before == null ? 0 : before.bytes);
        var eldest = states.values().iterator();
        while (bytes > bytesMax && eldest.hasNext()) {
            bytes -= eldest.next().bytes;
            eldest.remove();
        }
    }

    /** About the memory of all kept states. */
    synchronized long bytes() {
        return bytes;
    }
}
