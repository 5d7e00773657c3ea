// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.authentication;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import rookery.gateway.authentication.SharedQuestions.SharedQuestion;
import rookery.model.caller.Caller.Anonymous;
import rookery.model.caller.Caller.Identity;
import rookery.model.caller.Caller.Known;
import rookery.model.caller.Caller.Reason;
import rookery.model.error.ApiException;
import rookery.model.id.DeviceId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;

/** The test decides when auth-service answers. */
class SharedQuestionsTest {
    private static final TokenHash TOKEN = new TokenHash(new TenantId(1), "aa");
    private static final TokenHash OTHER = new TokenHash(new TenantId(1), "bb");
    private static final Identity ADA = new Known(new UserId("@ada:alpha.test"), new DeviceId("D"), false);
    private static final Identity NOBODY = new Anonymous(Reason.UNKNOWN);

    private final SharedQuestions questions = new SharedQuestions();
    private final List<SentQuestion> sent = new ArrayList<>();

    /** A question that was sent. */
    private record SentQuestion(SharedQuestion question, Sinks.One<Identity> answer) {}

    @Test
    void twoThousandRequestsWithOneTokenAreTwoQuestions() {
        var answers = new ArrayList<CompletableFuture<@Nullable Identity>>();
        for (int i = 0; i < 2000; i++) {
            answers.add(ask(TOKEN, null));
        }
        assertThat(sent).hasSize(1);
        answer(0, ADA);
        assertThat(answers.getFirst()).isCompletedWithValue(ADA);
        assertThat(answers.get(1)).isNotDone();
        assertThat(sent).hasSize(2);
        answer(1, ADA);
        assertThat(answers).allMatch(CompletableFuture::isDone);
        assertThat(sent).hasSize(2);
    }

    /**
     * The race of a revocation: the revocation is answered while an older question, which will answer with a valid session, is
     * still in flight.
     */
    @Test
    void aRequestThatComesAfterARevocationIsNotAnsweredByAQuestionOfBefore() {
        var before = ask(TOKEN, null);
        var afterwards = ask(TOKEN, null); // the session has ended, and the revocation was answered
        answer(0, ADA);
        assertThat(before).isCompletedWithValue(ADA);
        assertThat(afterwards).isNotDone();
        answer(1, NOBODY);
        assertThat(afterwards).isCompletedWithValue(NOBODY);
    }

    @Test
    void aQuestionThatWaitsForItsTurnIsJoined() {
        var turn = Sinks.<Void>empty();
        var first = questions
                .ask(TOKEN, 5L, question -> turn.asMono().then(Mono.defer(() -> sent(question))))
                .toFuture();
        var second = ask(TOKEN, 7L);
        var third = ask(TOKEN, 6L);
        assertThat(sent).isEmpty();
        turn.tryEmitEmpty();
        var late = ask(TOKEN, 9L);
        assertThat(sent).hasSize(1);
        assertThat(sent.getFirst().question.redisTime()).isEqualTo(7);
        answer(0, ADA);
        assertThat(List.of(first, second, third)).allMatch(CompletableFuture::isDone);
        assertThat(late).isNotDone();
        assertThat(sent.getLast().question.redisTime()).isEqualTo(9);
    }

    @Test
    void aFailureIsThatOfItsOwnQuestion() {
        var first = ask(TOKEN, null);
        var second = ask(TOKEN, null);
        sent.getFirst().answer.tryEmitError(ApiException.unavailable("away"));
        assertThat(first).isCompletedExceptionally();
        answer(1, ADA);
        assertThat(second).isCompletedWithValue(ADA);
    }

    @Test
    void whoGivesUpTakesTheAnswerFromNobody() {
        var _ = ask(TOKEN, null);
        Disposable gone = questions.ask(TOKEN, null, this::sent).subscribe();
        var stays = ask(TOKEN, null);
        gone.dispose();
        answer(0, ADA);
        answer(1, ADA);
        assertThat(stays).isCompletedWithValue(ADA);
    }

    @Test
    void nothingIsKeptAfterAnAnswer() {
        var _ = ask(TOKEN, null);
        answer(0, ADA);
        var _ = ask(TOKEN, null);
        assertThat(sent).hasSize(2);
    }

    @Test
    void tokensDoNotWaitForEachOther() {
        var _ = ask(TOKEN, null);
        var _ = ask(OTHER, null);
        var _ = ask(new TokenHash(new TenantId(2), "aa"), null);
        assertThat(sent).hasSize(3);
    }

    private CompletableFuture<@Nullable Identity> ask(TokenHash token, @Nullable Long redisTime) {
        return questions.ask(token, redisTime, this::sent).toFuture();
    }

    private Mono<Identity> sent(SharedQuestion question) {
        question.sent();
        Sinks.One<Identity> answer = Sinks.one();
        sent.add(new SentQuestion(question, answer));
        return answer.asMono();
    }

    private void answer(int index, Identity identity) {
        sent.get(index).answer.tryEmitValue(identity);
    }
}
