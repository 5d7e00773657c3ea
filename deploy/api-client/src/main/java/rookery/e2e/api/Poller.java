// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.api;

import java.io.IOException;
import java.time.Duration;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;

/**
 * Repeats long polls, from token to token, until a response satisfies a condition. Presence or a corrected unread count may end a
 * poll earlier, so the next response need not be the expected one.
 */
public final class Poller {
    private static final Duration EACH = Duration.ofSeconds(30);
    private static final Duration LONGEST = Duration.ofSeconds(60);

    private Poller() {}

    /** One sync request. */
    @FunctionalInterface
    public interface Poll {
        JsonNode sync(SyncQuery query) throws IOException;
    }

    /**
     * Returns the first response after the token that satisfies the condition.
     *
     * @throws AssertionError after a minute without such a response, with the last response in the message
     */
    public static JsonNode until(Poll poll, String since, Predicate<JsonNode> condition) throws IOException {
        long begun = System.nanoTime();
        var token = since;
        while (true) {
            var answer = poll.sync(SyncQuery.since(token).waiting(EACH));
            if (condition.test(answer)) {
                return answer;
            }
            if (System.nanoTime() - begun > LONGEST.toNanos()) {
                throw new AssertionError("not told within %s after %s; last: %s".formatted(LONGEST, since, answer));
            }
            token = answer.path("next_batch").asString();
        }
    }
}
