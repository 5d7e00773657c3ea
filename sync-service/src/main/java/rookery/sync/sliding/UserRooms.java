// SPDX-License-Identifier: Apache-2.0
package rookery.sync.sliding;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import rookery.model.id.RoomId;
import rookery.sync.inbox.UserData;
import tools.jackson.databind.json.JsonMapper;

/** What a user has noted about rooms: direct chats and tags; read when first needed. */
final class UserRooms {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final String DIRECT = "m.direct";
    private static final String TAG = "m.tag";

    private final UserData data;
    /** The children of the spaces that the lists ask for. */
    private final Map<String, Set<String>> spaces;

    private final Map<RoomId, Set<String>> tags = new HashMap<>();
    private @Nullable Set<String> direct;

    UserRooms(UserData data, Map<String, Set<String>> spaces) {
        this.data = data;
        this.spaces = spaces;
    }

    boolean isDirect(RoomId room) {
        var known = direct;
        if (known == null) {
            known = readDirect();
            direct = known;
        }
        return known.contains(room.value());
    }

    private Set<String> readDirect() {
        var rooms = new HashSet<String>();
        var content = data.content(null, DIRECT);
        if (content != null) {
            JSON.readTree(content)
                    .valueStream()
                    .flatMap(ids -> ids.valueStream())
                    .forEach(id -> {
                        if (id.isString()) {
                            rooms.add(id.stringValue());
                        }
                    });
        }
        return rooms;
    }

    Set<String> tags(RoomId room) {
        return tags.computeIfAbsent(room, this::readTags);
    }

    private Set<String> readTags(RoomId room) {
        var content = data.content(room, TAG);
        return content == null
                ? Set.of()
                : new HashSet<>(JSON.readTree(content).path("tags").propertyNames());
    }

    boolean contains(String space, RoomId room) {
        return spaces.getOrDefault(space, Set.of()).contains(room.value());
    }
}
