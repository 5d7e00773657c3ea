package rookery.sync.answer;

import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.util.MultiValueMap;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.sync.presence.PresenceState;

/**
 * What a client asks of a sync (contract.md 10.1).
 *
 * @param filter JSON or the id of a saved filter, or null for everything
 * @param since a token of an earlier answer, or null for the whole picture
 * @param state which state of rooms is wanted, and by which name
 * @param presence how the user is while this device asks
 * @param timeout how long to wait for something to say, at most 30 s
 */
public record SyncQuery(
        @Nullable String filter,
        @Nullable String since,
        Duration timeout,
        boolean fullState,
        RoomState state,
        String presence) {
    /** The state of a room that an answer holds. */
    public enum RoomState {
        /** as before the timeline */
        BEFORE("state"),
        /** as after the timeline */
        AFTER("state_after"),
        /** the same, by the name of before version 1.16 of the standard (MSC4222) */
        AFTER_UNSTABLE("org.matrix.msc4222.state_after");

        /** The member of a room that holds it. */
        public final String word;

        RoomState(String word) {
            this.word = word;
        }
    }

    private static final Pattern DIGITS = Pattern.compile("[0-9]+");
    private static final int MILLIS_MAX = 30_000;
    private static final int DIGITS_MAX = 9;

    /** M_INVALID_PARAM for what is none. */
    public static SyncQuery of(MultiValueMap<String, String> params) {
        var presence = params.getFirst("set_presence");
        if (presence != null && !PresenceState.ALL.contains(presence)) {
            throw invalid("set_presence is online, unavailable or offline");
        }
        return new SyncQuery(
                params.getFirst("filter"),
                params.getFirst("since"),
                timeout(params.getFirst("timeout")),
                bool(params, "full_state"),
                state(params),
                presence == null ? PresenceState.ONLINE : presence);
    }

    private static RoomState state(MultiValueMap<String, String> params) {
        boolean unstable = bool(params, "org.matrix.msc4222.use_state_after");
        return bool(params, "use_state_after")
                ? RoomState.AFTER
                : unstable ? RoomState.AFTER_UNSTABLE : RoomState.BEFORE;
    }

    /** Whether state is wanted as it is after the timeline. */
    boolean stateAfter() {
        return state != RoomState.BEFORE;
    }

    private static Duration timeout(@Nullable String text) {
        if (text == null) {
            return Duration.ZERO;
        }
        if (!DIGITS.matcher(text).matches()) {
            throw invalid("timeout is a number of milliseconds");
        }
        return Duration.ofMillis(
                text.length() > DIGITS_MAX ? MILLIS_MAX : Math.min(Integer.parseInt(text), MILLIS_MAX));
    }

    private static boolean bool(MultiValueMap<String, String> params, String name) {
        var text = params.getFirst(name);
        if (text == null) {
            return false;
        }
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw invalid(name + " is true or false");
        };
    }

    private static ApiException invalid(String reason) {
        return new ApiException(ErrorCode.M_INVALID_PARAM, reason);
    }
}
