// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class OpenQuestionsTest {
    private final OpenQuestions open = new OpenQuestions();

    @Test
    void aLateAnswerIsTaken() {
        var answer = new CompletableFuture<String>();
        var question = open.bounded(answer);
        rounds(OpenQuestions.ROUNDS);
        assertThat(question).isNotDone();
        answer.complete("PONG");
        assertThat(question).isCompletedWithValue("PONG");
    }

    @Test
    void aSilentRedisIsGivenUpWithAllThatWaitForIt() {
        var oldest = open.bounded(new CompletableFuture<String>());
        rounds(OpenQuestions.ROUNDS);
        var latest = open.bounded(new CompletableFuture<String>());
        rounds(1);
        assertThat(oldest).isCompletedExceptionally();
        assertThat(latest).isCompletedExceptionally();
        assertThat(latest.exceptionNow()).isInstanceOf(TimeoutException.class);
    }

    @Test
    void whatIsAskedAfterwardsHasItsOwnTime() {
        var _ = open.bounded(new CompletableFuture<String>());
        rounds(OpenQuestions.ROUNDS + 1);
        var question = open.bounded(new CompletableFuture<String>());
        rounds(OpenQuestions.ROUNDS);
        assertThat(question).isNotDone();
    }

    @Test
    void aLoopThatIsBusyMakesNoQuestionOld() {
        var question = open.bounded(new CompletableFuture<String>());
        assertThat(open.beginRound()).isTrue();
        for (int i = 0; i < 10 * OpenQuestions.ROUNDS; i++) {
            assertThat(open.beginRound()).isFalse(); // the loop has not executed the first round
        }
        open.endRound();
        assertThat(question).isNotDone();
        assertThat(open.beginRound()).isTrue();
    }

    @Test
    void aFailureIsTold() {
        var question = open.bounded(CompletableFuture.failedFuture(new IllegalStateException("LOADING")));
        assertThat(question.exceptionNow()).hasMessage("LOADING");
    }

    private void rounds(int number) {
        for (int i = 0; i < number; i++) {
            assertThat(open.beginRound()).isTrue();
            open.endRound();
        }
    }
}
