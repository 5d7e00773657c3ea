// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.load;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import rookery.e2e.api.Answer;
import rookery.embedded.Deadline;

/**
 * Repeats requests with a transaction id until success, as clients do.
 *
 * @param patience the longest time for one request
 * @param troubles receives failures that kills do not excuse
 */
public record Attempts(Duration patience, Consumer<String> troubles) {
    private static final Duration PAUSE = Duration.ofMillis(250);

    /** One attempt. */
    @FunctionalInterface
    public interface Request {
        Answer send() throws IOException;
    }

    /**
     * Returns the successful response, or null after the patience.
     *
     * @param name of the request, for reports
     * @param failed receives the reason of each failed or unanswered attempt
     */
    public @Nullable Answer untilAccepted(String name, Request request, Consumer<String> failed) {
        var deadline = Deadline.in(patience);
        do {
            String why;
            try {
                var answer = request.send();
                if (answer.isOk()) {
                    return answer;
                }
                if (!answer.isPassing()) {
                    troubles.accept("%s was refused: %s".formatted(name, answer));
                    return null;
                }
                why = answer.status() + " " + answer.text();
            } catch (IOException e) {
                why = e.getClass().getSimpleName(); // may have arrived; repeated with the same transaction id
            }
            failed.accept(why);
            LockSupport.parkNanos(PAUSE.toNanos());
        } while (!deadline.passed()
                && !Thread.currentThread().isInterrupted()); // an interrupted thread would not pause
        troubles.accept(
                "%s was not accepted within %d s, or until the run was over".formatted(name, patience.toSeconds()));
        return null;
    }
}
