// SPDX-License-Identifier: Apache-2.0
package rookery.room.authorization;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import rookery.room.authorization.Verdict.Allowed;
import rookery.room.authorization.Verdict.Denied;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Rule 8 of contract.md 9.4: a sender cannot give, take or change power above the sender's own. */
final class PowerLevelRules {
    private static final List<String> SCALARS =
            List.of("users_default", "events_default", "state_default", "ban", "redact", "kick", "invite");
    private static final List<String> MAPS = List.of("events", "notifications", "users");
    static final long INTEGER_MAX = (1L << 53) - 1;

    private PowerLevelRules() {}

    static Verdict judge(CoreState state, Candidate candidate) {
        String malformed = malformed(candidate.content());
        if (malformed != null) {
            return new Denied(malformed);
        }
        var users = candidate.content().path("users");
        if (state.creators().unbounded().stream().anyMatch(user -> users.has(user.value()))) {
            return new Denied("users must not name a creator: creators have more power than any number");
        }
        var before = state.powerLevels();
        if (before == null) {
            return new Allowed();
        }
        long power = state.power().of(candidate.sender());
        for (String key : SCALARS) {
            var refused = change(key, before.get(key), candidate.content().get(key), power, false);
            if (refused != null) {
                return refused;
            }
        }
        for (String map : MAPS) {
            var refused = changes(map, before.get(map), candidate, power);
            if (refused != null) {
                return refused;
            }
        }
        return new Allowed();
    }

    /** Why the content is no valid content of power levels; null for valid content. */
    static @Nullable String malformed(ObjectNode content) {
        for (String key : SCALARS) {
            if (content.has(key) && !isLevel(content.get(key))) {
                return key + " must be an integer";
            }
        }
        for (String map : MAPS) {
            if (!content.has(map)) {
                continue;
            }
            if (!(content.get(map) instanceof ObjectNode levels)) {
                return map + " must be an object";
            }
            for (var entry : levels.properties()) {
                if (!isLevel(entry.getValue())) {
                    return map + " must hold integers";
                }
                if (map.equals("users") && AuthRules.userId(entry.getKey()) == null) {
                    return "users must be named by their ids";
                }
            }
        }
        return null;
    }

    private static @Nullable Denied changes(String map, @Nullable JsonNode before, Candidate candidate, long power) {
        var after = candidate.content().get(map);
        boolean users = map.equals("users");
        for (String key : keys(before, after)) {
            var old = before == null ? null : before.get(key);
            var changed = after == null ? null : after.get(key);
            // senders may lower themselves, but no other user of the same power
            boolean peers = users && !key.equals(candidate.sender().value());
            var refused = change(map + "." + key, old, changed, power, peers);
            if (refused != null) {
                return refused;
            }
        }
        return null;
    }

    private static @Nullable Denied change(
            String what, @Nullable JsonNode before, @Nullable JsonNode after, long power, boolean peers) {
        if (isSame(before, after)) {
            return null;
        }
        if (before != null && (peers ? before.longValue() >= power : before.longValue() > power)) {
            return new Denied("changing " + what + " takes more power than you have");
        }
        if (after != null && after.longValue() > power) {
            return new Denied(what + " cannot be set above your own power");
        }
        return null;
    }

    private static boolean isSame(@Nullable JsonNode before, @Nullable JsonNode after) {
        if (before == null || after == null) {
            return before == null && after == null;
        }
        return before.longValue() == after.longValue();
    }

    private static Set<String> keys(@Nullable JsonNode before, @Nullable JsonNode after) {
        var keys = new HashSet<String>();
        if (before != null) {
            keys.addAll(before.propertyNames());
        }
        if (after != null) {
            keys.addAll(after.propertyNames());
        }
        return keys;
    }

    private static boolean isLevel(JsonNode node) {
        return node.isIntegralNumber()
                && node.canConvertToLong()
                && node.longValue() >= -INTEGER_MAX
                && node.longValue() <= INTEGER_MAX;
    }
}
