// SPDX-License-Identifier: Apache-2.0
package rookery.room.space;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import rookery.model.error.ApiException;
import rookery.model.event.EventTypes;
import rookery.model.event.Membership;
import rookery.model.id.RoomId;
import rookery.room.authorization.HistoryVisibility;
import rookery.room.authorization.JoinRule;
import rookery.room.table.StoredEvent;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

/**
 * A room as shown to users who may join or read it, from the current state.
 *
 * @param joined number of joined members
 * @param state contents by event type, of types with an empty state key
 * @param membership the reader's membership, or null
 * @param children valid {@code m.space.child} events in display order
 */
record SpaceRoom(
        RoomId room,
        int joined,
        Map<String, JsonNode> state,
        @Nullable Membership membership,
        List<Child> children) {
    static final String CHILD = "m.space.child";
    private static final String SPACE = "m.space";
    private static final Set<Membership> INSIDE = Set.of(Membership.JOIN, Membership.INVITE, Membership.KNOCK);

    /**
     * A child room of a space: {@code order} is null if missing or invalid, {@code text} is the stripped event
     * with its timestamp.
     */
    record Child(RoomId room, @Nullable String order, boolean suggested, long ts, String text) {
        static final Comparator<Child> SHOWN = Comparator.comparing(
                        (Child child) -> child.order, Comparator.nullsLast(Comparator.naturalOrder()))
                .thenComparingLong(Child::ts)
                .thenComparing(child -> child.room.value());

        /** Null for an event without a valid room id or without {@code via} servers. */
        static @Nullable Child of(StoredEvent event) {
            var json = event.json();
            var content = json.path("content");
            var room = room(json.path("state_key").asString(""));
            if (room == null
                    || !content.path("via").isArray()
                    || content.path("via").isEmpty()) {
                return null;
            }
            json.retain("type", "state_key", "sender", "content", "origin_server_ts");
            var suggested = content.path("suggested");
            return new Child(
                    room,
                    order(content.path("order")),
                    suggested.isBoolean() && suggested.booleanValue(),
                    event.event().meta().ts(),
                    JsonMapper.shared().writeValueAsString(json));
        }

        private static @Nullable RoomId room(String id) {
            try {
                return new RoomId(id);
            } catch (ApiException e) {
                return null;
            }
        }

        private static @Nullable String order(JsonNode order) {
            return order.isString() && order.stringValue().matches("[\\x20-\\x7E]{1,50}") ? order.stringValue() : null;
        }
    }

    SpaceRoom with(List<Child> validChildren) {
        return new SpaceRoom(room, joined, state, membership, validChildren);
    }

    /** The room without state and children, for rooms before the page. */
    SpaceRoom passed() {
        return new SpaceRoom(room, joined, Map.of(), membership, List.of());
    }

    /** Approximate size of the room in an answer, in bytes. */
    long bytes() {
        return Stream.concat(
                        state.values().stream().map(JsonNode::toString),
                        children.stream().map(Child::text))
                .mapToLong(String::length)
                .sum();
    }

    boolean isSpace() {
        return content(EventTypes.CREATE).path("type").asString("").equals(SPACE);
    }

    JoinRule joinRule() {
        return JoinRule.of(content(EventTypes.JOIN_RULES));
    }

    /** The text of the join rule in the room's state, also of an unknown rule. */
    String joinRuleText() {
        return content(EventTypes.JOIN_RULES).path("join_rule").asString(JoinRule.INVITE.word);
    }

    boolean isWorldReadable() {
        return content(EventTypes.HISTORY_VISIBILITY)
                .path("history_visibility")
                .asString("")
                .equals(HistoryVisibility.WORLD_READABLE);
    }

    boolean canGuestsJoin() {
        return content(EventTypes.GUEST_ACCESS)
                .path("guest_access")
                .asString("")
                .equals("can_join");
    }

    /** The rooms whose members a restricted rule lets in; empty under other rules. */
    List<String> allowed() {
        var rooms = new ArrayList<String>();
        if (joinRule().isRestricted()) {
            for (var condition : content(EventTypes.JOIN_RULES).path("allow")) {
                String id = condition.path("room_id").asString("");
                if (condition.path("type").asString("").equals("m.room_membership") && id.indexOf('\0') < 0) {
                    rooms.add(id);
                }
            }
        }
        return rooms;
    }

    /** Whether the reader may see the room; {@code joinedRooms} are those of {@link #allowed} that the reader is joined to. */
    boolean isAccessible(Set<String> joinedRooms) {
        return (membership != null && INSIDE.contains(membership))
                || joinRule() == JoinRule.PUBLIC
                || joinRule().allowsKnocks()
                || isWorldReadable()
                || allowed().stream().anyMatch(joinedRooms::contains);
    }

    /** A text field of a state event's content; null if missing, empty or no text. */
    @Nullable
    String text(String type, String field) {
        String text = content(type).path(field).asString("");
        return text.isEmpty() ? null : text;
    }

    private JsonNode content(String type) {
        return state.getOrDefault(type, MissingNode.getInstance());
    }
}
