// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.model;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The response of a request.
 *
 * @param status 0 without a complete response
 * @param endNanos the time of arrival, by {@link System#nanoTime}
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

    /** Whether the result is unknown or the request may be repeated. */
    boolean isPassing() {
        return status == 0 || status == TOO_MANY || status >= SERVER_ERROR;
    }

    /** Whether the server refused the request because of overload, which may happen without kills. */
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
