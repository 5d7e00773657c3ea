package rookery.e2e.load;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import rookery.e2e.api.Answer;
import rookery.embedded.Deadline;

/** Repeats requests with a transaction id until they are accepted, as clients do. */
public final class Attempts {
    private static final Duration PAUSE = Duration.ofMillis(250);

    private final Duration patience;
    private final Consumer<String> troubles;

    /** One attempt. */
    @FunctionalInterface
    public interface Request {
        Answer send() throws IOException;
    }

    /**
     * @param patience for one request to be accepted
     * @param troubles is told what no fault excuses
     */
    public Attempts(Duration patience, Consumer<String> troubles) {
        this.patience = patience;
        this.troubles = troubles;
    }

    /**
     * Returns the success, or null when nobody should wait any longer.
     *
     * @param name of the request, for people
     * @param failed is told of each attempt that failed, or of which nobody knows what became of it: why, in few words
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
                why = e.getClass().getSimpleName(); // it may have arrived: that is what transaction ids are for
            }
            failed.accept(why);
            LockSupport.parkNanos(PAUSE.toNanos());
        } while (!deadline.passed() && !Thread.currentThread().isInterrupted()); // interrupted, it would not pause
        troubles.accept(
                "%s was not accepted within %d s, or until the run was over".formatted(name, patience.toSeconds()));
        return null;
    }
}
