// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import rookery.model.id.TenantId;
import rookery.platform.ratelimit.Pace;

/** The clock moves only when the test moves it; the window is a count for each second. */
class FloodsTest {
    private static final TenantId TENANT = new TenantId(1);
    private static final long A_SECOND = 20;

    private long now = 1_000_000;
    private final InstantSource clock = () -> Instant.ofEpochMilli(now);
    private final Floods floods = new Floods(new Pace(_ -> A_SECOND, Floods.BURST, clock), clock);
    private long second;
    private long counted;
    private int questions;

    /** Whether a request passes and is below the limit of its second. */
    private boolean isAdmitted() {
        if (!floods.mayPass(TENANT)) {
            return false;
        }
        questions++;
        if (now / 1000 != second) {
            second = now / 1000;
            counted = 0;
        }
        counted++;
        if (counted > A_SECOND) {
            floods.refused(TENANT);
        }
        return counted <= A_SECOND;
    }

    /** The admitted ones of a request each 5 ms. */
    private int admittedWithin(long millis) {
        int admitted = 0;
        for (long end = now + millis; now < end; now += 5) {
            admitted += isAdmitted() ? 1 : 0;
        }
        return admitted;
    }

    @Test
    void tenantWithinItsLimitMaySendAllOfASecondAtOnce() {
        for (int i = 0; i < 3; i++) {
            assertThat(admittedWithin(A_SECOND * 5)).isEqualTo((int) A_SECOND);
            now += 1_000 - A_SECOND * 5;
        }
    }

    @Test
    void floodIsAdmittedEvenlyAndWithoutAQuestionForEachRequest() {
        admittedWithin(1_000);
        questions = 0;
        for (int tenth = 0; tenth < 100; tenth++) {
            assertThat(admittedWithin(100)).as("tenth %d", tenth).isBetween(1, 3);
        }
        assertThat(questions).isLessThan(2 * 10 * (int) A_SECOND);
    }

    @Test
    void floodLosesNothingOfItsLimit() {
        admittedWithin(1_000);
        assertThat(admittedWithin(10_000)).isBetween(10 * (int) A_SECOND - 5, 10 * (int) A_SECOND);
    }

    @Test
    void floodEndsTwoSecondsAfterItsLastRefusal() {
        admittedWithin(1_000);
        now += 2_000;
        assertThat(admittedWithin(A_SECOND * 5)).isEqualTo((int) A_SECOND);
    }
}
