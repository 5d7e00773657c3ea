package rookery.sync.unread;

import java.util.List;
import org.jspecify.annotations.Nullable;
import rookery.model.id.UserId;
import rookery.model.topic.RoomLogRecord.EventAppended;
import rookery.sync.stream.Held;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** What a user was called in a room as events came: a member event says it, and what it was before. */
public final class Names {
    private static final JsonMapper JSON = JsonMapper.shared();

    private final @Nullable String[] names;

    /**
     * Of the user at each of these events, which are all up to now.
     *
     * @param now the name after them
     */
    Names(UserId user, @Nullable String now, List<Held> events) {
        this.names = new @Nullable String[events.size()];
        var name = now;
        for (int i = names.length - 1; i >= 0; i--) {
            names[i] = name;
            var held = events.get(i);
            var meta = held.event().meta();
            if (meta.membership() != null && user.value().equals(meta.stateKey())) {
                name = before(held);
            }
        }
    }

    @Nullable
    String at(int index) {
        return names[index];
    }

    private static @Nullable String before(Held held) {
        var content = held.event().prevContentJson();
        return content == null ? null : named(content, "");
    }

    /** The name that a member event gives, null for none. */
    public static @Nullable String in(EventAppended member) {
        return named(member.eventJson(), "/content");
    }

    private static @Nullable String named(String json, String content) {
        try {
            var name = JSON.readTree(json).at(content + "/displayname");
            return name.isString() ? name.stringValue() : null;
        } catch (JacksonException _) {
            return null;
        }
    }
}
