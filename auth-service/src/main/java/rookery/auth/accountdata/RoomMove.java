// SPDX-License-Identifier: Apache-2.0
package rookery.auth.accountdata;

import java.util.List;
import org.jspecify.annotations.Nullable;
import rookery.model.id.RoomId;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Copies account data of a room to the room's successor (contract.md 8.4). Pure; keeps data already set for the new room. */
record RoomMove(RoomId from, RoomId to) {
    private static final String ROOM_ID = "room_id";
    private static final String RULE_ID = "rule_id";

    /** {@code m.tag} of the new room, from that of the old one. */
    static ObjectNode tags(ObjectNode ofOld, ObjectNode ofNew) {
        return ofNew.isEmpty() ? ofOld.deepCopy() : ofNew;
    }

    /** {@code m.direct}: room IDs by user. */
    ObjectNode direct(ObjectNode content) {
        var after = content.deepCopy();
        for (var user : after.properties()) {
            if (user.getValue() instanceof ArrayNode rooms && has(rooms, from) && !has(rooms, to)) {
                rooms.add(to.value());
            }
        }
        return after;
    }

    /** {@code m.push_rules}: the room rule, and an override rule with the room's ID, such as the rule of a muted room. */
    ObjectNode pushRules(ObjectNode content) {
        var after = content.deepCopy();
        for (String kind : List.of("override", "room")) {
            if (after.path("global").get(kind) instanceof ArrayNode rules) {
                copyRule(rules);
            }
        }
        return after;
    }

    private void copyRule(ArrayNode rules) {
        int at = indexOf(rules, from);
        if (at < 0 || indexOf(rules, to) >= 0 || !(rules.get(at) instanceof ObjectNode rule)) {
            return;
        }
        var copy = rule.deepCopy().put(RULE_ID, to.value());
        if (copy.get("conditions") instanceof ArrayNode conditions) {
            conditions.forEach(this::aim);
        }
        rules.insert(at, copy);
    }

    private void aim(JsonNode condition) {
        if (condition instanceof ObjectNode match
                && ROOM_ID.equals(text(match.get("key")))
                && from.value().equals(text(match.get("pattern")))) {
            match.put("pattern", to.value());
        }
    }

    private static int indexOf(ArrayNode rules, RoomId room) {
        for (int i = 0; i < rules.size(); i++) {
            if (room.value().equals(text(rules.get(i).get(RULE_ID)))) {
                return i;
            }
        }
        return -1;
    }

    private static boolean has(ArrayNode rooms, RoomId room) {
        return rooms.valueStream().anyMatch(node -> room.value().equals(text(node)));
    }

    private static @Nullable String text(@Nullable JsonNode node) {
        return node != null && node.isString() ? node.stringValue() : null;
    }
}
