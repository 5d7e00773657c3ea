// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.authentication;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import rookery.model.error.ApiException;

class QuestionLineTest {
    private static final Duration LONG = Duration.ofMinutes(10);

    private final List<Sinks.One<String>> sent = new ArrayList<>();

    @Test
    void aFewAreAskedAtATimeAndTheOthersInTheirTurn() {
        var line = new QuestionLine(2, 10, LONG);
        var answers = ask(line, 4);
        assertThat(sent).hasSize(2);
        sent.get(0).tryEmitValue("a");
        assertThat(sent).hasSize(3);
        sent.get(1).tryEmitError(new IllegalStateException());
        assertThat(sent).hasSize(4);
        sent.get(2).tryEmitValue("c");
        sent.get(3).tryEmitValue("d");
        assertThat(answers.get(3)).isCompletedWithValue("d");
        assertThat(ask(line, 3)).hasSize(3);
        assertThat(sent).hasSize(6);
    }

    @Test
    void whatDoesNotFitIsToldToComeBackAndNobodyElseIs() {
        var answers = ask(new QuestionLine(1, 1, LONG), 3);
        assertRefused(answers.get(2));
        sent.get(0).tryEmitValue("a");
        sent.get(1).tryEmitValue("b");
        assertThat(answers.subList(0, 2)).allMatch(CompletableFuture::isDone);
        assertThat(answers.get(1)).isCompletedWithValue("b");
    }

    @Test
    void whatWaitsTooLongIsToldToComeBackAndLeavesItsPlace() {
        var line = new QuestionLine(1, 1, Duration.ofMillis(1));
        var answers = ask(line, 2);
        assertThat(answers.get(1)).failsWithin(LONG);
        assertRefused(answers.get(1));
        sent.get(0).tryEmitValue("a");
        assertThat(sent).hasSize(1);
        var _ = ask(line, 1);
        assertThat(sent).hasSize(2);
    }

    @Test
    void aLongLineOfQuestionsThatFailAtOnceIsNoDeepStack() {
        var line = new QuestionLine(1, 20_000, LONG);
        var _ = ask(line, 1);
        var failed = new AtomicInteger();
        for (int i = 0; i < 20_000; i++) {
            line.pass(Mono.error(IllegalStateException::new)).subscribe(_ -> {}, _ -> failed.incrementAndGet());
        }
        sent.getFirst().tryEmitValue("a");
        assertThat(failed).hasValue(20_000);
    }

    private List<CompletableFuture<String>> ask(QuestionLine line, int number) {
        var answers = new ArrayList<CompletableFuture<String>>();
        for (int i = 0; i < number; i++) {
            answers.add(line.pass(Mono.defer(this::question)).toFuture());
        }
        return answers;
    }

    private Mono<String> question() {
        Sinks.One<String> answer = Sinks.one();
        sent.add(answer);
        return answer.asMono();
    }

    private static void assertRefused(CompletableFuture<String> answer) {
        assertThat(answer.exceptionNow())
                .asInstanceOf(InstanceOfAssertFactories.type(ApiException.class))
                .matches(refusal -> refusal.status == 503 && refusal.retryAfterSeconds != null);
    }
}
