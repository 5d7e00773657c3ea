// SPDX-License-Identifier: Apache-2.0
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
 * Shares questions to auth-service between requests with the same token: at most one question is in flight, and at most one more
 * waits for its end.
 *
 * <p>A request joins only a question that has not been sent yet, so the answer is always read after the request arrived. Hence a
 * revocation is effective (design.md 6) without a clock and without Redis: a request that arrives after the answer to a
 * revocation never gets an older answer, however late that answer arrives. Answers are not cached.
 */
final class SharedQuestions {
    private final ConcurrentMap<TokenHash, Line> open = new ConcurrentHashMap<>();

    /**
     * The answer of auth-service for this token; shared by all requests that arrive before the question is sent.
     *
     * @param redisTime the time of Redis before this call, or null
     * @param sending sends the question and calls {@link SharedQuestion#sent} immediately before. Subscribed once, and completes
     *     even after all requests that wait for the answer are cancelled
     */
    Mono<Identity> ask(TokenHash token, @Nullable Long redisTime, Function<SharedQuestion, Mono<Identity>> sending) {
        var line = open.compute(token, (_, old) -> joined(token, old, redisTime, sending));
        return Objects.requireNonNull(line.unsent).answer;
    }

    private Line joined(
            TokenHash token,
            @Nullable Line line,
            @Nullable Long redisTime,
            Function<SharedQuestion, Mono<Identity>> sending) {
        var underWay = line == null ? null : line.underWay;
        var question = line == null || line.unsent == null ? question(token, underWay, sending) : line.unsent;
        question.noteTime(redisTime);
        return new Line(underWay, question);
    }

    private SharedQuestion question(
            TokenHash token, @Nullable SharedQuestion before, Function<SharedQuestion, Mono<Identity>> sending) {
        var question = new SharedQuestion(token);
        var lookUp = Mono.defer(() -> sending.apply(question));
        // refers only to the end of the previous question: a chain of references would keep all previous questions in
        // memory
        question.answer = (before == null ? lookUp : before.end.asMono().then(lookUp))
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

    /** A question about a token, shared by all requests that wait for the answer. */
    final class SharedQuestion {
        private final TokenHash token;
        private final Sinks.Empty<Void> end = Sinks.empty();
        private Mono<Identity> answer = Mono.empty();
        private volatile @Nullable Long redisTime;

        private SharedQuestion(TokenHash token) {
            this.token = token;
        }

        /** No request joins this question from now on. */
        void sent() {
            SharedQuestions.this.sent(this);
        }

        /** The latest time of Redis among the requests that share this question, or null. */
        @Nullable
        Long redisTime() {
            return redisTime;
        }

        /** The caller has the map's lock on this token. */
        private void noteTime(@Nullable Long time) {
            var latest = redisTime;
            if (time != null && (latest == null || time > latest)) {
                redisTime = time;
            }
        }
    }

    /** The unanswered questions about one token. */
    private record Line(
            @Nullable SharedQuestion underWay, @Nullable SharedQuestion unsent) {
        @Nullable
        Line without(SharedQuestion question) {
            var line = new Line(underWay == question ? null : underWay, unsent == question ? null : unsent);
            return line.underWay == null && line.unsent == null ? null : line;
        }
    }
}
