package rookery.directory.listing;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import rookery.directory.SearchText;
import rookery.model.event.EventTypes;
import rookery.model.id.EventId;
import rookery.model.id.TenantRoom;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What the directory knows of a room; it changes with what the room's log tells. */
final class ListedRoom {
    /** The state that a page shows or that decides who sees the room, with the field of the content that says it. */
    static final Map<String, String> FIELDS = Map.of(
            EventTypes.CREATE, "type",
            EventTypes.NAME, "name",
            EventTypes.TOPIC, "topic",
            EventTypes.AVATAR, "url",
            EventTypes.CANONICAL_ALIAS, "alias",
            EventTypes.JOIN_RULES, "join_rule",
            EventTypes.HISTORY_VISIBILITY, "history_visibility",
            EventTypes.GUEST_ACCESS, "guest_access");

    /** Of these a redaction leaves what is read here (contract.md 9.6). */
    private static final List<String> KEPT_BY_REDACTION =
            List.of(EventTypes.CREATE, EventTypes.JOIN_RULES, EventTypes.HISTORY_VISIBILITY);

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final TypeReference<TreeMap<String, Fact>> FACTS = new TypeReference<>() {};
    private static final int SEARCHED_MAX = 4_096;

    private final TenantRoom key;
    private final Map<String, Fact> facts;
    private boolean published;
    private int joined;

    /** A state event in force; {@code value} is null where its content does not say. */
    record Fact(EventId id, @Nullable String value) {}

    /** A room that nothing is known of yet. */
    ListedRoom(TenantRoom key) {
        this(key, false, 0, "{}");
    }

    /** As it was stored. */
    ListedRoom(TenantRoom key, boolean published, int joined, String factsJson) {
        this.key = key;
        this.published = published;
        this.joined = joined;
        this.facts = JSON.readValue(factsJson, FACTS);
    }

    void set(String type, EventId id, JsonNode content) {
        var value = content.path(Objects.requireNonNull(FIELDS.get(type)));
        facts.put(type, new Fact(id, value.isString() ? value.stringValue() : null));
    }

    void redact(EventId event) {
        facts.replaceAll((type, fact) ->
                fact.id.equals(event) && !KEPT_BY_REDACTION.contains(type) ? new Fact(event, null) : fact);
    }

    void setPublished(boolean now) {
        published = now;
    }

    void setJoined(int now) {
        joined = now;
    }

    TenantRoom key() {
        return key;
    }

    boolean isPublished() {
        return published;
    }

    int joined() {
        return joined;
    }

    String factsJson() {
        return JSON.writeValueAsString(facts);
    }

    /** What the room says of itself by a state event of that type; null if nothing. */
    @Nullable
    String value(String type) {
        var fact = facts.get(type);
        return fact == null ? null : fact.value;
    }

    boolean isWorldReadable() {
        return "world_readable".equals(value(EventTypes.HISTORY_VISIBILITY));
    }

    /** Whether its members may be found by people who share no room with them. */
    boolean isOpen() {
        return isWorldReadable() || "public".equals(value(EventTypes.JOIN_RULES));
    }

    String searched() {
        return Stream.of(EventTypes.NAME, EventTypes.CANONICAL_ALIAS, EventTypes.TOPIC)
                .map(this::value)
                .filter(Objects::nonNull)
                .map(SearchText::folded)
                .collect(Collectors.joining("\n"))
                .transform(text -> text.substring(0, Math.min(text.length(), SEARCHED_MAX)));
    }
}
