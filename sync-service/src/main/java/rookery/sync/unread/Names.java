// SPDX-License-Identifier: Apache-2.0
package rookery.sync.unread;

import java.util.List;
import org.jspecify.annotations.Nullable;
import rookery.model.id.UserId;
import rookery.model.topic.RoomLogRecord.EventAppended;
import rookery.sync.ring.RingEvent;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** A user's display names in a room at successive events, from member events and their previous content. */
public final class Names {
    private static final JsonMapper JSON = JsonMapper.shared();

    private final @Nullable Name[] names;

    /** The names at the given events, which end at the present; {@code now} is null if unknown. */
    Names(UserId user, @Nullable Name now, List<RingEvent> events) {
        this.names = new @Nullable Name[events.size()];
        var name = now == null ? newest(user, events) : now;
        for (int i = names.length - 1; i >= 0; i--) {
            names[i] = name;
            var ringEvent = events.get(i);
            if (isOf(user, ringEvent)) {
                name = before(ringEvent);
            }
        }
    }

    private static boolean isOf(UserId user, RingEvent ringEvent) {
        var meta = ringEvent.meta();
        return meta.membership() != null && user.value().equals(meta.stateKey());
    }

    private static @Nullable Name newest(UserId user, List<RingEvent> events) {
        return events.reversed().stream()
                .filter(ringEvent -> isOf(user, ringEvent))
                .findFirst()
                .map(ringEvent -> in(ringEvent.event()))
                .orElse(null);
    }

    /** Null if unknown. */
    @Nullable
    Name at(int index) {
        return names[index];
    }

    private static Name before(RingEvent ringEvent) {
        var content = ringEvent.event().prevContentJson();
        return content == null ? new Name(null) : named(content, "");
    }

    /** The name in a member event. */
    public static Name in(EventAppended member) {
        return named(member.eventJson(), "/content");
    }

    private static Name named(String json, String content) {
        try {
            var name = JSON.readTree(json).at(content + "/displayname");
            return new Name(name.isString() ? name.stringValue() : null);
        } catch (JacksonException _) {
            return new Name(null);
        }
    }
}
