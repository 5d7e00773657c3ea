// SPDX-License-Identifier: Apache-2.0
package rookery.sync.sliding;

import static org.assertj.core.api.Assertions.assertThat;

import io.r2dbc.spi.ConnectionFactories;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.springframework.r2dbc.core.DatabaseClient;
import reactor.core.publisher.Mono;
import rookery.model.id.DeviceId;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.TenantUser;
import rookery.model.id.UserId;
import rookery.sync.sliding.ConnectionState.SentRoom;
import rookery.sync.sliding.Connections.StoredState;
import rookery.sync.sliding.StateRequest.StatePattern;

class KnownStatesTest {
    private static final long BYTES_MAX = 5_000_000;
    private static final ConnectionKey KEY = new ConnectionKey(
            new TenantUser(new TenantId(1), new UserId("@ada:alpha.test")), new DeviceId("DEVICE"), "main");

    private final MemoryConnections connections = new MemoryConnections();
    private final KnownStates states = new KnownStates(connections, BYTES_MAX);

    private static final class MemoryConnections extends Connections {
        private final Map<Long, ConnectionState> rows = new HashMap<>();
        private int reads;

        MemoryConnections() {
            super(
                    DatabaseClient.create(ConnectionFactories.get("r2dbc:postgresql://nobody@none/none")),
                    Clock.systemUTC(),
                    new Random(1));
        }

        @Override
        Mono<StoredState> find(ConnectionKey key, long number) {
            reads++;
            return Mono.just(new StoredState(number, Objects.requireNonNull(rows.get(number))));
        }

        @Override
        Mono<StoredState> write(ConnectionKey key, StoredState base, ConnectionState state) {
            long number = rows.size() + 1L;
            rows.put(number, state);
            return Mono.just(new StoredState(number, state));
        }
    }

    /** One room, with a config of its own. */
    private static ConnectionState state(int number, int patterns) {
        var all = IntStream.range(0, patterns)
                .mapToObj(i -> new StatePattern("type." + number + "." + i, "k".repeat(200)))
                .collect(Collectors.toSet());
        var config = RoomConfig.of(1, new StateRequest(all, Set.of(), false));
        return new ConnectionState(Map.of(new RoomId("!room:alpha.test"), new SentRoom(config, SentRoom.LIVE)));
    }

    private StoredState written(ConnectionState state) {
        return Objects.requireNonNull(
                states.written(KEY, StoredState.NONE, state).block());
    }

    @Test
    void statesOfOneRoomWithManyPatternsStayWithinTheBytes() {
        for (int i = 0; i < 50; i++) {
            written(state(i, 1_000));
        }
        assertThat(states.bytes()).isBetween(BYTES_MAX / 2, BYTES_MAX);
        assertThat(states.find(KEY, 1).map(StoredState::state).block()).isEqualTo(state(0, 1_000));
        assertThat(connections.reads).isEqualTo(1);
    }

    @Test
    void aKeptStateIsNotReadAgain() {
        long number = written(state(1, 10)).number();
        assertThat(states.find(KEY, number).map(StoredState::state).block()).isEqualTo(state(1, 10));
        assertThat(connections.reads).isZero();
    }
}
