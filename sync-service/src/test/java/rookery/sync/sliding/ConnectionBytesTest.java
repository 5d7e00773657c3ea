// SPDX-License-Identifier: Apache-2.0
package rookery.sync.sliding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import rookery.model.error.ApiException;
import rookery.model.id.RoomId;
import rookery.sync.sliding.ConnectionState.SentRoom;
import rookery.sync.sliding.StateRequest.StatePattern;

class ConnectionBytesTest {
    private static final RoomConfig SHORT = RoomConfig.of(1, StateRequest.NONE);
    private static final RoomConfig LONG = RoomConfig.of(
            20,
            new StateRequest(
                    Set.of(new StatePattern(null, null), new StatePattern("m.room.name", "")),
                    Set.of(new StatePattern("m.room.create", null)),
                    true));

    private static RoomId room(int number) {
        return new RoomId("!room" + number + "abcdefghijklmn:alpha.test");
    }

    @Test
    void aStateIsReadAsWritten() {
        var rooms = new HashMap<RoomId, SentRoom>();
        rooms.put(room(1), new SentRoom(SHORT, SentRoom.LIVE));
        rooms.put(room(2), new SentRoom(LONG, SentRoom.LIVE));
        rooms.put(room(3), new SentRoom(LONG, 4711));
        var state = new ConnectionState(rooms);
        assertThat(ConnectionBytes.read(ConnectionBytes.write(state))).isEqualTo(state);
        assertThat(ConnectionBytes.read(ConnectionBytes.write(ConnectionState.EMPTY)))
                .isEqualTo(ConnectionState.EMPTY);
    }

    @Test
    void fiveThousandRoomsAreSmall() {
        var rooms = new HashMap<RoomId, SentRoom>();
        IntStream.range(0, 5_000).forEach(i -> rooms.put(room(i), new SentRoom(LONG, SentRoom.LIVE)));
        assertThat(ConnectionBytes.write(new ConnectionState(rooms))).hasSizeLessThan(100_000);
    }

    @Test
    void configsOfAnyNumberDoNotFillTheTable() {
        var rooms = new HashMap<RoomId, SentRoom>();
        IntStream.range(0, 500).forEach(i -> {
            var patterns = IntStream.range(0, 100)
                    .mapToObj(j -> new StatePattern("t" + i + "-" + j, "k".repeat(250)))
                    .collect(Collectors.toSet());
            rooms.put(room(i), new SentRoom(RoomConfig.of(1, new StateRequest(patterns, Set.of(), false)), 0));
        });
        assertThatThrownBy(() -> ConnectionBytes.write(new ConnectionState(rooms)))
                .isInstanceOf(ApiException.class);
    }
}
