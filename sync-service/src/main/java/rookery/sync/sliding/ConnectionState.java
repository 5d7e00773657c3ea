// SPDX-License-Identifier: Apache-2.0
package rookery.sync.sliding;

import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import rookery.model.id.RoomId;

/**
 * The rooms that a client has received on a connection. Immutable.
 *
 * <p>A room that is {@link SentRoom#isLive} has been received up to the position of the client's token, also if the room has left
 * the window since. So an answer with new events of such rooms only does not change the state.
 */
record ConnectionState(Map<RoomId, SentRoom> rooms) {
    private static final int ROOM_BYTES = 150;
    private static final int REFERENCE_BYTES = 16;

    static final ConnectionState EMPTY = new ConnectionState(Map.of());

    /**
     * A room that the client has received.
     *
     * @param config the content that the client wanted when it last received the room
     * @param upTo the position up to which the client has received the room; {@link #LIVE} for the position of the token
     */
    record SentRoom(RoomConfig config, long upTo) {
        static final long LIVE = -1;

        boolean isLive() {
            return upTo == LIVE;
        }
    }

    /** About the memory of the state. States of configs are counted once, because rooms share them. */
    long bytes() {
        long bytes = 0;
        var states = Collections.<StateRequest>newSetFromMap(new IdentityHashMap<>());
        for (var room : rooms.values()) {
            bytes += ROOM_BYTES + (long) REFERENCE_BYTES * room.config.states().size();
            states.addAll(room.config.states());
        }
        for (var state : states) {
            bytes += state.bytes();
        }
        return bytes;
    }

    @Nullable
    SentRoom of(RoomId room) {
        return rooms.get(room);
    }

    /** The state with some rooms changed; a null value removes the room. */
    ConnectionState with(Map<RoomId, @Nullable SentRoom> changes) {
        if (changes.isEmpty()) {
            return this;
        }
        var changed = new HashMap<>(rooms);
        changes.forEach((room, sent) -> {
            if (sent == null) {
                changed.remove(room);
            } else {
                changed.put(room, sent);
            }
        });
        return changed.equals(rooms) ? this : new ConnectionState(Collections.unmodifiableMap(changed));
    }
}
