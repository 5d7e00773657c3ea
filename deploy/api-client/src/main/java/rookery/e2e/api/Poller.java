package rookery.e2e.api;

import java.io.IOException;
import java.time.Duration;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;

/**
 * Polls on, from token to token, until an answer holds what is looked for. A poll may end before for other reasons, such as
 * somebody's presence or an unread count that became final, so the next answer need not be the one that is waited for.
 */
public final class Poller {
    private static final Duration EACH = Duration.ofSeconds(30);
    private static final Duration LONGEST = Duration.ofSeconds(60);

    private Poller() {}

    /** One request of sync, to any node and as anybody. */
    @FunctionalInterface
    public interface Poll {
        JsonNode sync(SyncQuery query) throws IOException;
    }

    /**
     * The first answer after a token that holds it.
     *
     * @throws AssertionError when none came within a minute; it shows the last one that came
     */
    public static JsonNode until(Poll poll, String since, Predicate<JsonNode> holds) throws IOException {
        long begun = System.nanoTime();
        var token = since;
        while (true) {
            var answer = poll.sync(SyncQuery.since(token).waiting(EACH));
            if (holds.test(answer)) {
                return answer;
            }
            if (System.nanoTime() - begun > LONGEST.toNanos()) {
                throw new AssertionError("not told within %s after %s; last: %s".formatted(LONGEST, since, answer));
            }
            token = answer.path("next_batch").asString();
        }
    }
}
