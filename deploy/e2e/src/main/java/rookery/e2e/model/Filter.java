// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.model;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * A sync filter, as sent to the server and as interpreted by the model.
 *
 * @param limit null for the server's default
 */
record Filter(
        @Nullable Integer limit,
        Part timeline,
        Part state,
        boolean lazy,
        boolean redundant,
        boolean includeLeave,
        boolean byThread,
        List<String> notRooms) {
    static final Filter ALL = new Filter(null, Part.ALL, Part.ALL, false, false, false, false, List.of());

    private static final int LIMIT_DEFAULT = 10;

    Filter {
        notRooms = List.copyOf(notRooms);
    }

    /** An event filter; types may end in an asterisk. */
    record Part(
            @Nullable List<String> types,
            @Nullable List<String> notTypes,
            @Nullable List<String> senders,
            @Nullable List<String> notSenders) {
        static final Part ALL = new Part(null, null, null, null);

        boolean passes(Event event) {
            return (types == null || types.stream().anyMatch(pattern -> matches(pattern, event.type())))
                    && (notTypes == null || notTypes.stream().noneMatch(pattern -> matches(pattern, event.type())))
                    && (senders == null || senders.contains(event.sender()))
                    && (notSenders == null || !notSenders.contains(event.sender()));
        }

        private static boolean matches(String pattern, String type) {
            return pattern.endsWith("*")
                    ? type.startsWith(pattern.substring(0, pattern.length() - 1))
                    : type.equals(pattern);
        }

        private Map<String, Object> json() {
            var json = new LinkedHashMap<String, Object>();
            put(json, "types", types);
            put(json, "not_types", notTypes);
            put(json, "senders", senders);
            put(json, "not_senders", notSenders);
            return json;
        }

        private static void put(Map<String, Object> json, String name, @Nullable List<String> list) {
            if (list != null) {
                json.put(name, list);
            }
        }
    }

    int timelineLimit() {
        return limit == null ? LIMIT_DEFAULT : limit;
    }

    /** Whether the filter drops only lazily loaded members and events beyond the limit. */
    boolean isWide() {
        return timeline.equals(Part.ALL) && state.equals(Part.ALL) && notRooms.isEmpty();
    }

    String json() {
        var timelineJson = timeline.json();
        if (limit != null) {
            timelineJson.put("limit", limit);
        }
        if (byThread) {
            timelineJson.put("unread_thread_notifications", true);
        }
        var stateJson = state.json();
        if (lazy) {
            stateJson.put("lazy_load_members", true);
        }
        if (redundant) {
            stateJson.put("include_redundant_members", true);
        }
        var room = new LinkedHashMap<String, Object>();
        room.put("timeline", timelineJson);
        room.put("state", stateJson);
        room.put("include_leave", includeLeave);
        if (!notRooms.isEmpty()) {
            room.put("not_rooms", notRooms);
        }
        return JsonMapper.shared().writeValueAsString(Map.of("room", room));
    }

    /** A random wide filter. */
    static Filter wide(RandomGenerator random) {
        return new Filter(
                limit(random),
                Part.ALL,
                Part.ALL,
                random.nextInt(3) == 0,
                random.nextBoolean(),
                false,
                random.nextInt(3) == 0,
                List.of());
    }

    /** An arbitrary random filter. */
    static Filter any(RandomGenerator random, List<String> users, List<String> rooms) {
        boolean dropsRoom = !rooms.isEmpty() && random.nextInt(10) == 0;
        return new Filter(
                limit(random),
                part(random, users),
                part(random, users),
                random.nextInt(3) == 0,
                random.nextBoolean(),
                random.nextInt(3) == 0,
                random.nextInt(3) == 0,
                dropsRoom ? List.of(rooms.get(random.nextInt(rooms.size()))) : List.of());
    }

    private static @Nullable Integer limit(RandomGenerator random) {
        return switch (random.nextInt(5)) {
            case 0, 1 -> 1;
            case 2 -> 10;
            case 3 -> 100;
            default -> null;
        };
    }

    private static Part part(RandomGenerator random, List<String> users) {
        var user = List.of(users.get(random.nextInt(users.size())));
        return switch (random.nextInt(12)) {
            case 0 -> new Part(List.of("m.room.message", "m.room.topic"), null, null, null);
            case 1 -> new Part(null, List.of("m.room.message"), null, null);
            case 2 -> new Part(null, List.of("m.room.member"), null, null);
            case 3 -> new Part(List.of("m.room.*"), List.of("m.room.topic"), null, null);
            case 4 -> new Part(null, null, user, null);
            case 5 -> new Part(null, null, null, user);
            case 6 -> new Part(List.of(), null, null, null);
            default -> Part.ALL;
        };
    }
}
