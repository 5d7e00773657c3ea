// SPDX-License-Identifier: Apache-2.0
package rookery.platform.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import rookery.model.error.ApiException;

class AnswerBudgetTest {
    private static final int KIB = 1024;
    private final AnswerBudget budget = new AnswerBudget(1000 * KIB);

    @Test
    void sumOfAllAnswersIsBounded() {
        for (int user = 0; user < 3; user++) {
            budget.reservation(user).grow(250 * KIB);
        }
        assertThatThrownBy(() -> budget.reservation("another").grow(100 * KIB)).isInstanceOf(ApiException.class);
        assertThat(budget.reservedBytes()).isEqualTo(750 * KIB);
    }

    @Test
    void refusalIs503WithRetryAfter() {
        assertThatThrownBy(() -> budget.reservation(null).grow(2000 * KIB))
                .isInstanceOfSatisfying(ApiException.class, refusal -> {
                    assertThat(refusal.status).isEqualTo(503);
                    assertThat(refusal.retryAfterSeconds).isNotNull();
                });
    }

    @Test
    void smallAnswersHaveALastQuarterForThemselves() {
        budget.reservation(null).grow(750 * KIB);
        var small = budget.reservation("small");
        small.grow(64 * KIB);
        assertThatThrownBy(() -> small.grow(1)).isInstanceOf(ApiException.class);
        budget.reservation("other small").grow(64 * KIB);
    }

    @Test
    void oneUserHasAQuarter() {
        budget.reservation("ann").grow(150 * KIB);
        budget.reservation("ann").grow(100 * KIB);
        assertThatThrownBy(() -> budget.reservation("ann").grow(1)).isInstanceOf(ApiException.class);
        budget.reservation("bob").grow(250 * KIB);
    }

    @Test
    void onlyAnswerOfAUserMayBeLarger() {
        var only = budget.reservation("ann");
        only.grow(200 * KIB);
        only.grow(300 * KIB);
        assertThatThrownBy(() -> budget.reservation("ann").grow(1)).isInstanceOf(ApiException.class);
    }

    @Test
    void endGivesEverythingBackOnceAndRefusesMore() {
        var reservation = budget.reservation("ann");
        reservation.grow(100 * KIB);
        reservation.end();
        reservation.end();
        assertThat(budget.reservedBytes()).isZero();
        assertThatThrownBy(() -> reservation.grow(1)).isInstanceOf(ApiException.class);
        budget.reservation("ann").grow(700 * KIB);
    }

    @Test
    void clearedReservationGoesOn() {
        var reservation = budget.reservation("ann");
        reservation.grow(100 * KIB);
        reservation.clear();
        assertThat(budget.reservedBytes()).isZero();
        reservation.atLeast(30 * KIB);
        reservation.atLeast(20 * KIB);
        assertThat(budget.reservedBytes()).isEqualTo(30 * KIB);
    }

    @Test
    void answerThatNeverFitsSaysSo() {
        var large = budget.reservation("ann");
        assertThatThrownBy(() -> large.grow(800 * KIB)).isInstanceOf(ApiException.class);
        assertThat(large.isBeyondAll()).isTrue();
        var unlucky = budget.reservation("bob");
        budget.reservation(null).grow(750 * KIB);
        assertThatThrownBy(() -> unlucky.grow(700 * KIB)).isInstanceOf(ApiException.class);
        assertThat(unlucky.isBeyondAll()).isFalse();
    }

    @Test
    void partThatCannotBeSmallerTakesHalfAtMost() {
        var only = budget.reservation("ann");
        only.atLeastOfPart(5000 * KIB);
        assertThat(only.bytes()).isEqualTo(500 * KIB);
        assertThatThrownBy(() -> budget.reservation("bob").atLeastOfPart(5000 * KIB))
                .isInstanceOf(ApiException.class);
    }

    @Test
    void reservesInTheContextOfARequestOnly() {
        var reservation = budget.reservation("ann");
        AnswerBudget.reserve(10 * KIB)
                .contextWrite(context -> context.put(AnswerReservation.class, reservation))
                .block();
        AnswerBudget.reserve(5000L * KIB).block();
        assertThat(budget.reservedBytes()).isEqualTo(10 * KIB);
        var refused = AnswerBudget.reserve(5000L * KIB)
                .contextWrite(context -> context.put(AnswerReservation.class, reservation))
                .onErrorResume(ApiException.class, _ -> Mono.empty());
        refused.block();
        assertThat(budget.reservedBytes()).isEqualTo(10 * KIB);
    }
}
