// SPDX-License-Identifier: Apache-2.0
package rookery.platform.push;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import rookery.model.id.RoomId;
import rookery.model.id.UserId;
import rookery.platform.push.Term.Field;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** An event for the evaluation of push rules, parsed once for all users. */
public final class PushedEvent {
    static final KeyPath BODY = new KeyPath(List.of("content", "body"));
    static final KeyPath MENTIONED = new KeyPath(List.of("content", "m.mentions", "user_ids"));
    static final KeyPath ROOM = new KeyPath(List.of("room_id"));
    static final KeyPath SENDER = new KeyPath(List.of("sender"));
    static final KeyPath TYPE = new KeyPath(List.of("type"));

    private static final JsonMapper JSON = JsonMapper.shared();

    private final JsonNode event;
    private final String room;
    private final String sender;
    private final Map<KeyPath, FoldedText> texts = new ConcurrentHashMap<>();
    private volatile @Nullable Set<String> words;

    private PushedEvent(ObjectNode event, RoomId room) {
        event.put("room_id", room.value());
        this.event = event;
        this.room = room.value();
        var from = string(SENDER);
        this.sender = from == null ? "" : from;
    }

    /**
     * Parses a stored event without {@code room_id}. Text other than a JSON object, which no event has, gives an event with only
     * the room.
     */
    public static PushedEvent of(RoomId room, String eventJson) {
        return new PushedEvent(object(eventJson), room);
    }

    private static ObjectNode object(String json) {
        try {
            if (JSON.readTree(json) instanceof ObjectNode object) {
                return object;
            }
        } catch (JacksonException _) {
            // documented above
        }
        return JSON.createObjectNode();
    }

    String room() {
        return room;
    }

    String sender() {
        return sender;
    }

    boolean isFrom(UserId user) {
        return user.value().equals(sender);
    }

    @Nullable
    JsonNode at(KeyPath path) {
        return path.in(event);
    }

    /** Returns null if the value is not a string. */
    @Nullable
    FoldedText text(KeyPath path) {
        var cached = texts.get(path);
        if (cached != null) {
            return cached;
        }
        var string = string(path);
        if (string == null) {
            return null;
        }
        var text = FoldedText.of(string);
        texts.put(path, text);
        return text;
    }

    /** Whether the event's body, which must exist, can match a pattern with that {@link Glob#term}. */
    boolean mayHold(FoldedText body, String term) {
        var cached = words;
        if (cached == null) {
            cached = body.terms();
            words = cached;
        }
        return cached.contains(term) || !body.termsAreComplete();
    }

    /**
     * The terms of this event. Only users with one of these terms in their {@link Interests}, and users with {@code always}, can
     * have an own rule that matches.
     *
     * @return null if all users must be evaluated, for a body with disguised letters such as the Kelvin sign
     */
    public @Nullable Set<Term> terms() {
        var terms = new HashSet<Term>();
        terms.add(new Term(Field.ROOM, FoldedText.fold(room)));
        terms.add(new Term(Field.SENDER, FoldedText.fold(sender)));
        var type = string(TYPE);
        if (type != null) {
            terms.add(new Term(Field.TYPE, FoldedText.fold(type)));
        }
        mentioned().forEach(user -> terms.add(new Term(Field.MENTION, user)));
        var body = text(BODY);
        if (body == null) {
            return terms;
        }
        body.terms().forEach(word -> terms.add(new Term(Field.WORD, word)));
        return body.termsAreComplete() ? terms : null;
    }

    /** The user ids in {@code m.mentions}, existing or not. */
    public Set<String> mentioned() {
        var mentioned = new HashSet<String>();
        var users = at(MENTIONED);
        if (users != null && users.isArray()) {
            users.valueStream().filter(JsonNode::isString).forEach(user -> mentioned.add(user.stringValue()));
        }
        return mentioned;
    }

    private @Nullable String string(KeyPath path) {
        var node = at(path);
        return node != null && node.isString() ? node.stringValue() : null;
    }
}
