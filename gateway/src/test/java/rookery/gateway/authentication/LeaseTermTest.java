// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.authentication;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LeaseTermTest {
    private long nanos = Long.MAX_VALUE - 5; // overflows, as System.nanoTime may
    private long millis = 1_800_000_000_000L;
    private final LeaseTerm term = new LeaseTerm(() -> nanos, () -> millis);

    @Test
    void leaseLastsLessThanThreeSecondsFromItsRequest() {
        var request = term.now();
        pass(2999, 2999);
        assertThat(term.lastsFrom(request)).isTrue();
        pass(1, 1);
        assertThat(term.lastsFrom(request)).isFalse();
    }

    @Test
    void leaseIsOverAfterASuspensionThatOnlyTheWallClockCounts() {
        var request = term.now();
        pass(10, 10_000);
        assertThat(term.lastsFrom(request)).isFalse();
    }

    @Test
    void leaseIsNotProlongedByAWallClockThatWasSetBack() {
        var request = term.now();
        pass(2000, -3_600_000);
        assertThat(term.lastsFrom(request)).isTrue();
        pass(1000, 1000);
        assertThat(term.lastsFrom(request)).isFalse();
    }

    @Test
    void answerThatWasReadAfterAStopBeginsNoLease() {
        var request = term.now();
        pass(10_000, 10_000); // the process was stopped between its request and the answer
        assertThat(term.lastsFrom(request)).isFalse();
    }

    private void pass(long monotonicMs, long wallMs) {
        nanos += TimeUnit.MILLISECONDS.toNanos(monotonicMs);
        millis += wallMs;
    }
}
