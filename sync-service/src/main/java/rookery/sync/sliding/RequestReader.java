// SPDX-License-Identifier: Apache-2.0
package rookery.sync.sliding;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.util.MultiValueMap;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.RoomId;
import rookery.platform.http.JsonBody;
import rookery.sync.presence.PresenceState;
import rookery.sync.sliding.SlidingRequest.Extension;
import rookery.sync.sliding.SlidingRequest.ListRequest;
import rookery.sync.sliding.SlidingRequest.Range;
import rookery.sync.sliding.StateRequest.StatePattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads a request of sliding sync: in the form of MSC4186, or in the form before its merge, with {@code pos} and {@code timeout}
 * in the query, {@code ranges} and pairs in {@code required_state}.
 */
final class RequestReader {
    private static final int LISTS_MAX = 100;
    private static final int SUBSCRIPTIONS_MAX = 100;
    private static final int RANGES_MAX = 100;
    private static final int PATTERNS_MAX = 100;
    /** Of all different states of a request: each room is compared with them at each look, and each kept state has them. */
    private static final int ALL_PATTERNS_MAX = 1000;

    private static final int NAMES_MAX = 1000;
    private static final int NAME_LENGTH_MAX = 255;
    private static final int TIMELINE_MAX = 100;
    private static final int TIMEOUT_MAX = 30_000;
    private static final String ANY = "*";
    private static final String LAZY = "$LAZY";
    private static final String ME = "$ME";
    private static final String MEMBER = "m.room.member";

    private final boolean isUnstable;
    private final String reader;
    /** The states read so far; equal ones are one object. */
    private final Map<StateRequest, StateRequest> states = new HashMap<>();

    private int patterns;
    /** The number of names in the filters of all lists. */
    private int filterNames;

    private RequestReader(boolean isUnstable, String reader) {
        this.isUnstable = isUnstable;
        this.reader = reader;
    }

    /**
     * @param reader the user's id, for {@code $ME}
     * @throws ApiException M_BAD_JSON for a wrong type, M_MISSING_PARAM, M_INVALID_PARAM for a value outside of its limits
     */
    static SlidingRequest read(boolean isUnstable, MultiValueMap<String, String> query, JsonBody body, String reader) {
        return new RequestReader(isUnstable, reader).read(query, body);
    }

    private SlidingRequest read(MultiValueMap<String, String> query, JsonBody body) {
        var connection = body.optionalString("conn_id");
        var lists = new LinkedHashMap<String, ListRequest>();
        each(body, "lists", LISTS_MAX, (name, list) -> lists.put(name, list(list)));
        var subscriptions = new HashMap<RoomId, RoomConfig>();
        each(body, "room_subscriptions", SUBSCRIPTIONS_MAX, (room, config) -> {
            var id = roomId(room);
            if (id != null) {
                subscriptions.put(id, config(config));
            }
        });
        var extensions = new LinkedHashMap<String, Extension>();
        each(body, "extensions", LISTS_MAX, (name, extension) -> {
            if (extension.boolOr("enabled", false) && SlidingRequest.EXTENSIONS.contains(name)) {
                extensions.put(name, extension(extension));
            }
        });
        return new SlidingRequest(
                isUnstable,
                connection == null ? "" : limited(connection, "conn_id"),
                isUnstable ? query.getFirst("pos") : body.optionalString("pos"),
                Duration.ofMillis(timeout(query, body)),
                presence(query, body),
                lists,
                subscriptions,
                extensions);
    }

    private interface Taker {
        void take(String name, JsonBody value);
    }

    private static void each(JsonBody body, String field, int most, Taker taker) {
        var object = body.optionalObject(field);
        if (object == null) {
            return;
        }
        if (object.json().size() > most) {
            throw invalid(field + " has more than " + most + " entries");
        }
        for (var entry : object.json().properties()) {
            if (!(entry.getValue() instanceof ObjectNode value)) {
                throw new ApiException(ErrorCode.M_BAD_JSON, field + " must contain objects");
            }
            taker.take(limited(entry.getKey(), field), new JsonBody(value));
        }
    }

    /** Null for an id that no room can have: such a subscription is ignored, as one to an unknown room. */
    private static @Nullable RoomId roomId(String text) {
        try {
            return new RoomId(text);
        } catch (ApiException _) {
            return null;
        }
    }

    private long timeout(MultiValueMap<String, String> query, JsonBody body) {
        if (!isUnstable) {
            var timeout = body.optionalInteger("timeout");
            return timeout == null ? 0 : Math.clamp(timeout, 0, TIMEOUT_MAX);
        }
        var text = query.getFirst("timeout");
        if (text == null) {
            return 0;
        }
        if (text.isEmpty() || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw invalid("timeout is a number of milliseconds");
        }
        return text.length() > 9 ? TIMEOUT_MAX : Math.min(Integer.parseInt(text), TIMEOUT_MAX);
    }

    private String presence(MultiValueMap<String, String> query, JsonBody body) {
        var presence = isUnstable ? query.getFirst("set_presence") : body.optionalString("set_presence");
        if (presence != null && !PresenceState.ALL.contains(presence)) {
            throw invalid("set_presence is online, unavailable or offline");
        }
        return presence == null ? PresenceState.ONLINE : presence;
    }

    private ListRequest list(JsonBody json) {
        var filters = json.optionalObject("filters");
        return new ListRequest(ranges(json), filters == null ? ListFilter.ALL : filter(filters), config(json));
    }

    private @Nullable List<Range> ranges(JsonBody json) {
        var node = json.json().get(isUnstable ? "ranges" : "range");
        if (node == null || node.isNull()) {
            return null;
        }
        if (!isUnstable) {
            return List.of(range(node));
        }
        if (!node.isArray() || node.size() > RANGES_MAX) {
            throw new ApiException(ErrorCode.M_BAD_JSON, "ranges is an array of pairs of integers");
        }
        return node.valueStream().map(RequestReader::range).toList();
    }

    private static Range range(JsonNode node) {
        boolean isPair = node.isArray()
                && node.size() == 2
                && node.valueStream().allMatch(end -> end.isIntegralNumber() && end.canConvertToLong());
        if (!isPair) {
            throw new ApiException(ErrorCode.M_BAD_JSON, "a range is a pair of integers");
        }
        long first = node.get(0).longValue();
        long last = node.get(1).longValue();
        if (first < 0 || last < first) {
            throw invalid("a range begins at 0 or later, and ends where it begins or later");
        }
        return new Range((int) Math.min(first, Integer.MAX_VALUE), (int) Math.min(last, Integer.MAX_VALUE));
    }

    private RoomConfig config(JsonBody json) {
        var limit = json.optionalInteger("timeline_limit");
        if (limit == null) {
            throw new ApiException(ErrorCode.M_MISSING_PARAM, "the field timeline_limit is missing");
        }
        if (limit < 0) {
            throw invalid("timeline_limit is 0 or more");
        }
        return RoomConfig.of((int) Math.min(limit, TIMELINE_MAX), shared(state(json)));
    }

    private StateRequest shared(StateRequest state) {
        var known = states.putIfAbsent(state, state);
        if (known != null) {
            return known;
        }
        patterns += state.include().size() + state.exclude().size();
        if (patterns > ALL_PATTERNS_MAX) {
            throw invalid("the request has more than " + ALL_PATTERNS_MAX + " different patterns of required_state");
        }
        return state;
    }

    private StateRequest state(JsonBody json) {
        if (!isUnstable) {
            var state = json.optionalObject("required_state");
            return state == null
                    ? StateRequest.NONE
                    : new StateRequest(
                            patterns(state, "include"),
                            patterns(state, "exclude"),
                            state.boolOr("lazy_members", false));
        }
        var pairs = json.json().get("required_state");
        if (pairs == null || pairs.isNull()) {
            return StateRequest.NONE;
        }
        if (!pairs.isArray() || pairs.size() > PATTERNS_MAX) {
            throw new ApiException(ErrorCode.M_BAD_JSON, "required_state is an array of pairs of strings");
        }
        var include = new HashSet<StatePattern>();
        boolean isLazy = false;
        for (var pair : pairs) {
            if (!pair.isArray() || pair.size() != 2 || !pair.valueStream().allMatch(JsonNode::isString)) {
                throw new ApiException(ErrorCode.M_BAD_JSON, "required_state contains pairs of strings");
            }
            var type = limited(pair.get(0).stringValue(), "required_state");
            var key = limited(pair.get(1).stringValue(), "required_state");
            if (type.equals(MEMBER) && key.equals(LAZY)) {
                isLazy = true;
            } else {
                include.add(new StatePattern(
                        type.equals(ANY) ? null : type, key.equals(ANY) ? null : key.equals(ME) ? reader : key));
            }
        }
        return new StateRequest(Set.copyOf(include), Set.of(), isLazy);
    }

    private static Set<StatePattern> patterns(JsonBody state, String field) {
        var patterns = new HashSet<StatePattern>();
        var objects = state.objects(field);
        if (objects.size() > PATTERNS_MAX) {
            throw invalid(field + " has more than " + PATTERNS_MAX + " entries");
        }
        objects.forEach(pattern -> patterns.add(new StatePattern(part(pattern, "type"), part(pattern, "state_key"))));
        return Set.copyOf(patterns);
    }

    private static @Nullable String part(JsonBody pattern, String field) {
        var text = pattern.optionalString(field);
        return text == null ? null : limited(text, "required_state");
    }

    private ListFilter filter(JsonBody json) {
        return new ListFilter(
                json.optionalBool("is_dm"),
                json.optionalBool("is_encrypted"),
                json.optionalBool(isUnstable ? "is_invite" : "is_invited"),
                counted(types(json, "room_types")),
                orNone(counted(types(json, "not_room_types"))),
                counted(names(json, "tags")),
                orNone(counted(names(json, "not_tags"))),
                counted(names(json, "spaces")));
    }

    private @Nullable Set<String> counted(@Nullable Set<String> names) {
        filterNames += names == null ? 0 : names.size();
        if (filterNames > NAMES_MAX) {
            throw invalid("the filters of all lists have more than " + NAMES_MAX + " names");
        }
        return names;
    }

    /** The null in an array of room types stands for rooms without a type. */
    private static @Nullable Set<String> types(JsonBody json, String field) {
        var node = json.json().get(field);
        if (node == null || node.isNull()) {
            return null;
        }
        if (!node.isArray()
                || node.size() > NAMES_MAX
                || !node.valueStream().allMatch(type -> type.isString() || type.isNull())) {
            throw new ApiException(ErrorCode.M_BAD_JSON, field + " is an array of strings and null");
        }
        var types = new HashSet<String>();
        node.forEach(type -> types.add(type.isNull() ? "" : type.stringValue()));
        return types;
    }

    private static @Nullable Set<String> names(JsonBody json, String field) {
        if (!json.has(field)) {
            return null;
        }
        var names = json.strings(field);
        if (names.size() > NAMES_MAX) {
            throw invalid(field + " has more than " + NAMES_MAX + " entries");
        }
        return new HashSet<>(names);
    }

    private static Set<String> orNone(@Nullable Set<String> names) {
        return names == null ? Set.of() : names;
    }

    private static Extension extension(JsonBody json) {
        return new Extension(json.optionalString("since"), unlessAll(json, "lists"), unlessAll(json, "rooms"));
    }

    /** Null for an absent list, and for {@code *}, which both stand for all. */
    private static @Nullable Set<String> unlessAll(JsonBody json, String field) {
        var names = names(json, field);
        return names == null || names.contains(ANY) ? null : names;
    }

    private static String limited(String text, String field) {
        if (text.length() > NAME_LENGTH_MAX || text.indexOf('\0') >= 0) {
            throw invalid("a name in " + field + " has more than " + NAME_LENGTH_MAX + " characters, or a NUL");
        }
        return text;
    }

    private static ApiException invalid(String reason) {
        return new ApiException(ErrorCode.M_INVALID_PARAM, reason);
    }
}
