// SPDX-License-Identifier: Apache-2.0
package rookery.room.authorization;

import org.jspecify.annotations.Nullable;
import rookery.model.event.EventTypes;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The power levels of the successor of an upgraded room (contract.md 8.4). Pure. */
public final class SuccessorPower {
    private static final long CREATOR = 100;
    /** More than an administrator of older room versions has, because an upgrade makes the sender a creator. */
    private static final long OWNER = 150;

    private SuccessorPower() {}

    /**
     * The old room's power levels, changed where only one of the rooms has creators with more power than any number.
     *
     * @param successor the state after the create event
     * @return null for a room without power levels
     */
    public static @Nullable ObjectNode of(CoreState old, CoreState successor) {
        var levels = old.powerLevels();
        if (levels == null) {
            return null;
        }
        var creators = successor.creators().unbounded();
        if (creators.isEmpty()) {
            numberCreators(old, levels);
            return levels;
        }
        if (levels.get("users") instanceof ObjectNode users) {
            creators.forEach(creator -> users.remove(creator.value()));
        }
        if (old.creators().unbounded().isEmpty()) {
            protectTombstone(old.power(), levels);
        }
        return levels;
    }

    /** Gives creators with more power than any number the highest number instead, and at least that of a creator. */
    private static void numberCreators(CoreState old, ObjectNode levels) {
        long highest = Math.max(CREATOR, highest(levels));
        old.creators().unbounded().forEach(creator -> object(levels, "users").put(creator.value(), highest));
    }

    private static long highest(JsonNode node) {
        return node.valueStream()
                .mapToLong(
                        value -> value.isObject() ? highest(value) : value.isIntegralNumber() ? value.longValue() : 0)
                .max()
                .orElse(0);
    }

    private static void protectTombstone(PowerLevels power, ObjectNode levels) {
        long required = power.required(EventTypes.TOMBSTONE, true);
        long above = Math.min(PowerLevelRules.INTEGER_MAX, power.stateDefault() + 1);
        object(levels, "events").put(EventTypes.TOMBSTONE, Math.max(required, Math.max(OWNER, above)));
    }

    private static ObjectNode object(ObjectNode levels, String key) {
        if (!levels.has(key)) {
            levels.set(key, JsonNodeFactory.instance.objectNode());
        }
        return (ObjectNode) levels.get(key);
    }
}
