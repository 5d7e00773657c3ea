package rookery.gateway.authentication;

import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import rookery.model.caller.Caller.Identity;

/**
 * Lets all requests with one token share the questions about it: one is under way at most, and one waits for its end.
 *
 * <p>A request only joins a question that was not sent yet, so what it is answered was looked up after the request came. That is why a
 * revocation holds here (design.md 6) without a clock and without Redis: a request that comes once a revocation was answered is never
 * given an answer of before, however late that one is. Nothing is kept after an answer.
 */
final class SharedQuestions {
    private final ConcurrentMap<TokenHash, Line> open = new ConcurrentHashMap<>();

    /**
     * The answer of auth-service to the question whose an access token is; shared by requests that come before the question is sent.
     *
     * @param redisTime the time of Redis before this call, or null
     * @param sending asks; it calls {@link SharedQuestion#sent} right before the question leaves. It is subscribed to once, and ends even if all
     *     who wait for the answer are gone
     */
    Mono<Identity> ask(TokenHash token, @Nullable Long redisTime, Function<SharedQuestion, Mono<Identity>> sending) {
        var line = open.compute(token, (_, old) -> joined(token, old, redisTime, sending));
        return line.required().answer;
    }

    private Line joined(
            TokenHash token,
            @Nullable Line line,
            @Nullable Long redisTime,
            Function<SharedQuestion, Mono<Identity>> sending) {
        var underWay = line == null ? null : line.underWay;
        var question = line == null || line.unsent == null ? question(token, underWay, sending) : line.unsent;
        question.heard(redisTime);
        return new Line(underWay, question);
    }

    private SharedQuestion question(
            TokenHash token, @Nullable SharedQuestion before, Function<SharedQuestion, Mono<Identity>> sending) {
        var question = new SharedQuestion(token);
        var asked = Mono.defer(() -> sending.apply(question));
        // of the one before only its end is referred to: else each would hold all before it
        question.answer = (before == null ? asked : before.end.asMono().then(asked))
                .doFinally(_ -> end(question))
                .cache();
        return question;
    }

    private void sent(SharedQuestion question) {
        open.computeIfPresent(question.token, (_, line) -> line.unsent == question ? new Line(question, null) : line);
    }

    private void end(SharedQuestion question) {
        open.computeIfPresent(question.token, (_, line) -> line.without(question));
        question.end.tryEmitEmpty();
    }

    /** A question about a token, for all who wait for its answer. */
    final class SharedQuestion {
        private final TokenHash token;
        private final Sinks.Empty<Void> end = Sinks.empty();
        private Mono<Identity> answer = Mono.empty();
        private volatile @Nullable Long redisTime;

        private SharedQuestion(TokenHash token) {
            this.token = token;
        }

        /** From now on nobody joins it. */
        void sent() {
            SharedQuestions.this.sent(this);
        }

        /** The latest time of Redis that was told before the question was sent, or null. */
        @Nullable
        Long redisTime() {
            return redisTime;
        }

        /** Under the lock of its line. */
        private void heard(@Nullable Long time) {
            var known = redisTime;
            if (time != null && (known == null || time > known)) {
                redisTime = time;
            }
        }
    }

    /** The questions about one token that have no answer yet. */
    private record Line(
            @Nullable SharedQuestion underWay, @Nullable SharedQuestion unsent) {
        SharedQuestion required() {
            return Objects.requireNonNull(unsent);
        }

        @Nullable
        Line without(SharedQuestion question) {
            var line = new Line(underWay == question ? null : underWay, unsent == question ? null : unsent);
            return line.underWay == null && line.unsent == null ? null : line;
        }
    }
}
