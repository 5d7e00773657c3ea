// SPDX-License-Identifier: Apache-2.0
package rookery.platform.log.follow;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class HeadsChecksTest {
    private long nanos = -7 * HeadsChecks.INTERVAL_NANOS;
    private final HeadsChecks checks = new HeadsChecks(() -> nanos);

    private void pass(long more) {
        nanos += more;
    }

    @Test
    void theFirstCheckIsDueAtOnce() {
        checks.begin();
        assertThat(checks.isDue()).isTrue();
        assertThat(checks.untilDue()).isEqualTo(Duration.ZERO);
    }

    /** Whether the last entries came from Kafka or from the owner makes no difference. */
    @Test
    void aLogIsCheckedOnceASecondWhileKafkaAnswers() {
        checks.begin();
        checks.done(nanos, nanos);
        pass(HeadsChecks.INTERVAL_NANOS - 1);
        assertThat(checks.isDue()).isFalse();
        pass(1);
        assertThat(checks.isDue()).isTrue();
    }

    @Test
    void withoutKafkaALogIsCheckedFiveTimesASecondUntilKafkaAnswersAgain() {
        long answered = nanos;
        pass(HeadsChecks.KAFKA_SILENCE_NANOS);
        checks.begin();
        checks.done(nanos, answered);
        assertThat(checks.untilDue()).isEqualTo(Duration.ofMillis(200));
        pass(HeadsChecks.WITHOUT_KAFKA_NANOS);
        checks.done(nanos, nanos);
        assertThat(checks.untilDue()).isEqualTo(Duration.ofMillis(800)); // the next whole second
    }

    @Test
    void theIntervalCountsFromTheQuestionNotFromItsAnswer() {
        checks.begin();
        long asked = nanos;
        pass(Duration.ofMillis(300).toNanos());
        checks.done(asked, nanos);
        assertThat(checks.untilDue()).isEqualTo(Duration.ofMillis(700));
    }

    @Test
    void checksThatBeginAtDifferentTimesAreDueTogether() {
        var others = new HeadsChecks(() -> nanos);
        checks.begin();
        checks.done(nanos, nanos);
        pass(Duration.ofMillis(400).toNanos());
        others.begin();
        others.done(nanos, nanos);
        assertThat(others.dueNanos()).isEqualTo(checks.dueNanos());
    }

    @Test
    void afterAFailureTheOwnerIsAskedAgainSoon() {
        checks.begin();
        checks.failed();
        assertThat(checks.untilDue()).isEqualTo(Duration.ofMillis(200));
    }
}
