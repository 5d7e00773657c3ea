// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import rookery.gateway.ratelimit.Windows.LoneCount;

/** The clock moves only when the test moves it; the clock of Redis is 1,000,000 ahead. */
class WindowsTest {
    private static final long REDIS_AHEAD = 1_000_000;
    private static final Limit LIMIT = new Limit(true, 5, 1000, List.of(), false, 0);

    private long now = 10;
    private final Windows windows = new Windows(() -> now);

    @Test
    void aloneAWindowBeginsWithItsFirstRequestAndAdmitsExactlyTheLimit() {
        for (int i = 1; i <= 5; i++) {
            assertThat(alone().allowed()).isTrue();
            now += 100;
        }
        var refused = alone();
        assertThat(refused.allowed()).isFalse();
        assertThat(refused.remainingMs()).isEqualTo(500);
        now += 500;
        assertThat(alone()).isEqualTo(new Verdict(1, 1000, true));
    }

    @Test
    void whatRedisCountsIsWhatCounts() {
        assertThat(shared(5, 1000)).isEqualTo(new Verdict(5, 1000, true));
        assertThat(shared(6, 1000)).isEqualTo(new Verdict(6, 1000, false));
    }

    @Test
    void anAnswerThatWasOvertakenIsJudgedByItsOwnNumber() {
        shared(6, 1000);
        assertThat(shared(5, 1000).allowed()).isTrue();
    }

    @Test
    void aWindowOfRedisThatHasEndedIsForgotten() {
        shared(6, 1000);
        now += 998; // an answer takes a moment, so the window seems to be open a little longer
        var first = new SharedCount(1, REDIS_AHEAD + 10 + 1001 + 1000, REDIS_AHEAD + 10 + 1001);
        assertThat(windows.follow("key", LIMIT, first)).isEqualTo(new Verdict(1, 1000, true));
    }

    @Test
    void whenRedisGoesThisProcessCountsOn() {
        shared(4, 1000);
        now += 100;
        assertThat(alone()).isEqualTo(new Verdict(5, 900, true));
        assertThat(alone().allowed()).isFalse();
    }

    @Test
    void aRedisThatCameBackEmptyDoesNotOpenTheWindowAnew() {
        shared(3, 1000);
        now += 100;
        alone();
        now += 100;
        assertThat(shared(1, 1200)).isEqualTo(new Verdict(5, 800, true));
        assertThat(shared(2, 1200).allowed()).isFalse();
        now += 800;
        assertThat(shared(3, 1200)).isEqualTo(new Verdict(3, 200, true));
    }

    @Test
    void aRedisThatKeptItsWindowIsToldNothingButRemembered() {
        shared(3, 1000);
        alone();
        assertThat(shared(4, 1000).count()).isEqualTo(5);
        assertThat(shared(5, 1000).allowed()).isFalse();
    }

    @Test
    void aRequestThatRedisCountedTooLateCountsOnce() {
        shared(3, 1000);
        var request = windows.countAlone("key", LIMIT);
        assertThat(request.verdict().count()).isEqualTo(4);
        late(4, 1000, request);
        assertThat(shared(5, 1000)).isEqualTo(new Verdict(5, 1000, true));
    }

    @Test
    void ofManyCountedAloneOnlyWhatRedisCountedTooLateIsTakenBack() {
        alone();
        var request = windows.countAlone("key", LIMIT);
        late(1, 1000, request);
        assertThat(alone().count()).isEqualTo(3);
        assertThat(shared(2, 1000).count()).isEqualTo(4);
    }

    @Test
    void aLateAnswerOfAWindowThatHasEndedTakesNothingFromTheNext() {
        var request = windows.countAlone("key", LIMIT);
        now += 1000;
        assertThat(alone().count()).isEqualTo(1);
        late(1, 1000, request);
        assertThat(alone().count()).isEqualTo(2);
    }

    @Test
    void whatWasCountedAloneBeforeRedisCameCountsToTheEndOfItsWindow() {
        alone();
        alone();
        now += 500;
        assertThat(shared(1, 1500).count()).isEqualTo(3);
        now += 500;
        assertThat(shared(2, 1500).count()).isEqualTo(2);
    }

    @Test
    void addressesAreCountedApart() {
        for (int i = 0; i < 6; i++) {
            alone();
        }
        assertThat(windows.countAlone("other", LIMIT).verdict().allowed()).isTrue();
    }

    private void late(long count, long windowEnd, LoneCount request) {
        var shared = new SharedCount(count, REDIS_AHEAD + 10 + windowEnd, REDIS_AHEAD + now);
        windows.followLate("key", LIMIT, shared, request);
    }

    private Verdict alone() {
        return windows.countAlone("key", LIMIT).verdict();
    }

    /** {@code windowEnd} by this process's clock, relative to 10, the time at which the test begins. */
    private Verdict shared(long count, long windowEnd) {
        return windows.follow("key", LIMIT, new SharedCount(count, REDIS_AHEAD + 10 + windowEnd, REDIS_AHEAD + now));
    }
}
