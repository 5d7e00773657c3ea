// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.api;

import java.net.http.HttpHeaders;
import java.time.Duration;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * An HTTP response of the server.
 *
 * @param request method and path, for messages
 * @param text the response body
 */
public record Answer(String request, int status, HttpHeaders headers, String text) {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final int OK = 200;
    private static final int TOO_MANY = 429;
    private static final int SHOWN = 500;
    private static final int WINDOW_SECONDS = 60;

    /** The JSON body of a 200. Any other status throws. */
    public JsonNode ok() {
        if (status != OK) {
            throw new UnexpectedAnswerException(this);
        }
        return json();
    }

    /** The JSON body of any status. Text that is not JSON throws. */
    public JsonNode json() {
        try {
            return JSON.readTree(text);
        } catch (JacksonException e) {
            throw new UnexpectedAnswerException(this, e);
        }
    }

    /** The error code; empty when the body is no error of contract.md 2.4. */
    public String errcode() {
        return text.startsWith("{") ? json().path("errcode").asString("") : "";
    }

    public boolean isOk() {
        return status == OK;
    }

    /** The time after which the rate limit admits the next request. */
    public Duration retryAfter() {
        long millis = text.startsWith("{") ? json().path("retry_after_ms").asLong(0) : 0;
        return millis > 0
                ? Duration.ofMillis(millis)
                : Duration.ofSeconds(headers.firstValueAsLong("Retry-After").orElse(WINDOW_SECONDS));
    }

    /** Whether the rate limit refused the request (contract.md 2.6). */
    public boolean isRateLimited() {
        return status == TOO_MANY;
    }

    /** Whether a retry may succeed: the server failed, or the rate limit refused the request. */
    public boolean isPassing() {
        return status >= 500 || isRateLimited();
    }

    @Override
    public String toString() {
        return "%s -> %d %s"
                .formatted(request, status, text.length() > SHOWN ? text.substring(0, SHOWN) + "..." : text);
    }
}
