// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.redis;

import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The unanswered questions to Redis. Their age is counted in rounds of the event loop that reads the answers, not in time. In
 * each round the loop had the chance to read, so a busy process does not make questions old, while a silent Redis makes all of
 * them old (decision 0021).
 */
final class OpenQuestions {
    /** A delayed round may pass before the loop reads, so a single round is no evidence. */
    static final int ROUNDS = 4;

    private final Queue<OpenQuestion<?>> open = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean isRoundUnderWay = new AtomicBoolean();
    private final AtomicLong round = new AtomicLong();

    /** The answer, or a TimeoutException after more than {@link #ROUNDS} rounds. */
    <T> CompletableFuture<T> bounded(CompletableFuture<T> answer) {
        var question = new OpenQuestion<T>(round.get());
        open.add(question);
        var _ = answer.whenComplete((value, failure) -> end(question, value, failure));
        return question;
    }

    private <T> void end(OpenQuestion<T> question, T value, Throwable failure) {
        open.remove(question); // Redis answers in order, so this question is among the first
        if (failure == null) {
            question.complete(value);
        } else {
            question.completeExceptionally(failure);
        }
    }

    /** Whether a new round may begin: not while the previous round still waits for the loop. */
    boolean beginRound() {
        return isRoundUnderWay.compareAndSet(false, true);
    }

    /**
     * Runs on the loop that reads the answers. If the oldest question is too old, all questions fail, because they wait for the
     * same Redis.
     */
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
