package rookery.e2e.model;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What came of a request.
 *
 * @param status 0 when there was no answer, or only a part of one
 * @param endNanos when it was there, by {@link System#nanoTime}
 */
record Reply(int status, String text, long endNanos) {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final int OK = 200;
    private static final int TOO_MANY = 429;
    private static final int SERVER_ERROR = 500;
    private static final int UNAVAILABLE = 503;

    static Reply lost() {
        return new Reply(0, "", System.nanoTime());
    }

    boolean isOk() {
        return status == OK;
    }

    /** Whether nobody knows what became of it, or it may be asked again. */
    boolean isPassing() {
        return status == 0 || status == TOO_MANY || status >= SERVER_ERROR;
    }

    /** Whether the server says that it is busy, and asks to try again in a moment: that may be where nothing was killed, too. */
    boolean isBusy() {
        return status == UNAVAILABLE;
    }

    JsonNode json() {
        return JSON.readTree(text);
    }

    @Nullable
    String eventId() {
        var id = isOk() ? json().path("event_id") : null;
        return id == null || !id.isString() ? null : id.asString();
    }
}
