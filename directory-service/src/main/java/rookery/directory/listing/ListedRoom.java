// SPDX-License-Identifier: Apache-2.0
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

/** A room of the directory, with mutators for the entries of the room log. */
final class ListedRoom {
    /** The state events that the directory shows or that decide visibility, each with the field of its content. */
    static final Map<String, String> FIELDS = Map.of(
            EventTypes.CREATE, "type",
            EventTypes.NAME, "name",
            EventTypes.TOPIC, "topic",
            EventTypes.AVATAR, "url",
            EventTypes.CANONICAL_ALIAS, "alias",
            EventTypes.JOIN_RULES, "join_rule",
            EventTypes.HISTORY_VISIBILITY, "history_visibility",
            EventTypes.GUEST_ACCESS, "guest_access");

    /** For these types, redaction keeps the field above (contract.md 9.6). */
    private static final List<String> KEPT_BY_REDACTION =
            List.of(EventTypes.CREATE, EventTypes.JOIN_RULES, EventTypes.HISTORY_VISIBILITY);

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final TypeReference<TreeMap<String, Fact>> FACTS = new TypeReference<>() {};
    private static final int SEARCHED_MAX = 4_096;

    private final TenantRoom key;
    private final Map<String, Fact> facts;
    private boolean published;
    private int joined;

    /** A state event in the current state; {@code value} is null if the content lacks the field. */
    record Fact(EventId id, @Nullable String value) {}

    /** A new room without state. */
    ListedRoom(TenantRoom key) {
        this(key, false, 0, "{}");
    }

    /** A room from its stored columns. */
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

    /** The field's value in the current state event of this type; null if absent. */
    @Nullable
    String value(String type) {
        var fact = facts.get(type);
        return fact == null ? null : fact.value;
    }

    boolean isWorldReadable() {
        return "world_readable".equals(value(EventTypes.HISTORY_VISIBILITY));
    }

    /** Whether users without a common room may find the members of this room. */
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
