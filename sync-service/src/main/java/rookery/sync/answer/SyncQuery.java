// SPDX-License-Identifier: Apache-2.0
package rookery.sync.answer;

import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.util.MultiValueMap;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.sync.presence.PresenceState;

/**
 * The query of a sync (contract.md 10.1).
 *
 * @param filter JSON, the id of a saved filter, or null for no filter
 * @param since the {@code next_batch} of an earlier answer, or null for an initial sync
 * @param state the requested state of rooms, and the name of its member
 * @param presence the user's presence while this device syncs
 * @param timeout the longest wait for changes, at most 30 s
 */
public record SyncQuery(
        @Nullable String filter,
        @Nullable String since,
        Duration timeout,
        boolean fullState,
        RoomState state,
        String presence) {
    /** The position of the requested room state. */
    public enum RoomState {
        /** as of the start of the timeline */
        BEFORE("state"),
        /** as of the end of the timeline */
        AFTER("state_after"),
        /** the same, under the name before version 1.16 of the specification (MSC4222) */
        AFTER_UNSTABLE("org.matrix.msc4222.state_after");

        /** The JSON member with the state. */
        public final String word;

        RoomState(String word) {
            this.word = word;
        }
    }

    private static final Pattern DIGITS = Pattern.compile("[0-9]+");
    private static final int MILLIS_MAX = 30_000;
    private static final int DIGITS_MAX = 9;

    /** M_INVALID_PARAM for a malformed value. */
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

    /** Whether the request is for the state as of the timeline's end. */
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
