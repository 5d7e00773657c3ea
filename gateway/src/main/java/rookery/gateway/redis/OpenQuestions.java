package rookery.gateway.redis;

import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The questions that Redis has not answered yet. How long they have waited is counted in rounds of the event loop that reads the answers,
 * and not in time. After a round the loop has had its chance to read, so an answer that this process was too busy to read makes no
 * question old, while a silent Redis makes all of them old (decision 0021).
 */
final class OpenQuestions {
    /** A round that was due while the loop did something else may pass before the loop reads, so one alone says nothing. */
    static final int ROUNDS = 4;

    private final Queue<OpenQuestion<?>> open = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean isRoundUnderWay = new AtomicBoolean();
    private final AtomicLong round = new AtomicLong();

    /** The answer, or a TimeoutException when a question has waited for more than {@link #ROUNDS} rounds. */
    <T> CompletableFuture<T> bounded(CompletableFuture<T> answer) {
        var question = new OpenQuestion<T>(round.get());
        open.add(question);
        var _ = answer.whenComplete((value, failure) -> end(question, value, failure));
        return question;
    }

    private <T> void end(OpenQuestion<T> question, T value, Throwable failure) {
        open.remove(question); // Redis answers in order, so it is among the first
        if (failure == null) {
            question.complete(value);
        } else {
            question.completeExceptionally(failure);
        }
    }

    /** Whether a round may begin: one that the loop has not come to yet is not followed by another. */
    boolean beginRound() {
        return isRoundUnderWay.compareAndSet(false, true);
    }

    /** On the loop that reads the answers. When the oldest question has waited too long all are given up: the others wait for the same Redis. */
    void endRound() {
        isRoundUnderWay.set(false);
        long now = round.incrementAndGet();
        var oldest = open.peek();
        if (oldest != null && now - oldest.askedIn > ROUNDS) {
            giveUpAll();
        }
    }

    private void giveUpAll() {
        for (var question = open.poll(); question != null; question = open.poll()) {
            question.completeExceptionally(new TimeoutException("redis does not answer"));
        }
    }

    private static final class OpenQuestion<T> extends CompletableFuture<T> {
        final long askedIn;

        OpenQuestion(long askedIn) {
            this.askedIn = askedIn;
        }
    }
}
