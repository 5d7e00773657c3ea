import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;

/** A client that expects answers, and waits for what comes a little later. */
abstract class PatientClient extends RookeryClient {
    static final int POLL_MILLIS = 10_000;

    private final Map<String, Object> sinces = new HashMap<>();

    PatientClient(String url) {
        super(url, true);
    }

    static void expect(boolean holds, String otherwise) throws IOException {
        if (!holds) {
            throw new IOException(otherwise);
        }
    }

    final Answer expect(Answer answer, int... statuses) throws IOException {
        for (int status : statuses) {
            if (answer.status() == status) {
                return answer;
            }
        }
        answer.orFail();
        throw new IOException("%s was answered with %d".formatted(answer.request(), answer.status()));
    }

    /** From where the last one of this user ended; {@code timeout} in milliseconds. */
    final Map<String, Object> sync(Person who, int timeout) throws IOException, InterruptedException {
        var since = sinces.get(who.user());
        var answer = call(who, "GET", "/v3/sync?timeout=" + timeout + (since == null ? "" : "&since=" + encoded(since.toString())), null);
        sinces.put(who.user(), text(answer, "next_batch"));
        return answer;
    }

    /** Syncs until an answer has it, for 30 s at most; returns {@link System#nanoTime} of then. */
    final long waitFor(Person reader, String what, Predicate<Map<String, Object>> wanted) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (System.nanoTime() < deadline) {
            if (wanted.test(sync(reader, POLL_MILLIS))) {
                return System.nanoTime();
            }
        }
        throw new IOException("\"%s\" did not reach %s within 30 s".formatted(what, reader.user()));
    }

    interface Question {
        boolean isAnswered() throws IOException, InterruptedException;
    }

    /** Asks twice a second, since what is derived from the log comes a little later and nothing tells that it has come. */
    static void askUntil(Question question, String otherwise) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (!question.isAnswered()) {
            expect(System.nanoTime() < deadline, otherwise);
            Thread.sleep(500);
        }
    }
}
