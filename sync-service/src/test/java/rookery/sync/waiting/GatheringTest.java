// SPDX-License-Identifier: Apache-2.0
package rookery.sync.waiting;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.test.scheduler.VirtualTimeScheduler;
import rookery.model.id.DeviceId;

/** When news wake a waiting request, by a clock that the test moves. */
class GatheringTest {
    private static final DeviceId PHONE = new DeviceId("PHONE");

    private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
    private double pressure;
    private final Gathering gathering = new Gathering(
            new GatheringProperties(Duration.ofMillis(300), Duration.ofSeconds(1), Duration.ofMillis(100)),
            () -> time.now(TimeUnit.NANOSECONDS),
            time,
            () -> pressure);
    private final Waiters waiters = new Waiters(gathering);

    @AfterEach
    void end() {
        time.dispose();
    }

    private void pass(long millis) {
        time.advanceTimeBy(Duration.ofMillis(millis));
    }

    /** A look begins: the wakes from now on. */
    private static List<Wake> bell(Waiter waiter) {
        var heard = new ArrayList<Wake>();
        waiter.listening().subscribe(heard::add);
        return heard;
    }

    @Test
    void aLoneReceiptComesAfterTheLeastWait() {
        var waiter = waiters.enter(PHONE);
        var bell = bell(waiter);
        waiters.wake(Urgency.LATER);
        assertThat(waiter.isGathering()).isTrue();
        pass(299);
        assertThat(bell).isEmpty();
        pass(11);
        assertThat(bell).containsExactly(Wake.NEWS);
        bell(waiter);
        assertThat(waiter.isDue(Urgency.LATER)).isTrue();
    }

    @Test
    void receiptsAfterAnAnswerComeTogetherOneIntervalAfterTheAnswer() {
        waiters.answered(PHONE);
        var waiter = waiters.enter(PHONE);
        var bell = bell(waiter);
        for (int i = 0; i < 60; i++) {
            pass(16);
            waiters.wake(Urgency.LATER);
            assertThat(bell).isEmpty();
        }
        pass(50);
        assertThat(bell).containsExactly(Wake.NEWS);
        assertThat(waiter.isDue(Urgency.LATER)).isTrue();
    }

    @Test
    void aRequestThatFindsReceiptsAtOnceWaitsForTheIntervalToo() {
        pass(5_000);
        waiters.answered(PHONE);
        pass(20);
        var waiter = waiters.enter(PHONE);
        var bell = bell(waiter);
        assertThat(waiter.isDue(Urgency.LATER)).isFalse();
        assertThat(waiter.isGathering()).isTrue();
        pass(970);
        assertThat(bell).isEmpty();
        pass(20);
        assertThat(bell).containsExactly(Wake.NEWS);
        assertThat(waiter.isDue(Urgency.LATER)).isTrue();
        // a device that was away for longer is answered at once, and another device has times of its own
        assertThat(waiters.enter(new DeviceId("OTHER")).isDue(Urgency.LATER)).isTrue();
    }

    @Test
    void urgentNewsBringWhatGathers() {
        waiters.answered(PHONE);
        var waiter = waiters.enter(PHONE);
        var bell = bell(waiter);
        waiters.wake(Urgency.LATER);
        waiters.wake(Urgency.NOW);
        assertThat(bell).containsExactly(Wake.NEWS);
        bell(waiter);
        assertThat(waiter.isDue(Urgency.NOW)).isTrue();
    }

    @Test
    void anUrgentWakeWithoutUrgentNewsDoesNotEndTheGathering() {
        waiters.answered(PHONE);
        var waiter = waiters.enter(PHONE);
        bell(waiter);
        waiters.wake(Urgency.LATER);
        waiters.wake(Urgency.NOW);
        var bell = bell(waiter);
        assertThat(waiter.isDue(Urgency.LATER)).isFalse();
        pass(1_010);
        assertThat(bell).containsExactly(Wake.NEWS);
    }

    @Test
    void newsThatComeDuringTheLastLookAreNotMissed() {
        var waiter = waiters.enter(PHONE);
        bell(waiter);
        waiters.wake(Urgency.LATER);
        pass(310);
        var bell = bell(waiter); // the look begins
        waiters.wake(Urgency.LATER); // after the look has read the positions
        assertThat(waiter.isDue(Urgency.NOTHING)).isFalse();
        assertThat(bell).containsExactly(Wake.NEWS);
    }

    @Test
    void newsThatTheFilterExcludesOpenANewWindowNextTime() {
        var waiter = waiters.enter(PHONE);
        bell(waiter);
        waiters.wake(Urgency.LATER);
        pass(310);
        bell(waiter);
        assertThat(waiter.isDue(Urgency.NOTHING)).isFalse();
        assertThat(waiter.isGathering()).isFalse();
        var bell = bell(waiter);
        waiters.wake(Urgency.LATER);
        assertThat(bell).isEmpty();
        pass(310);
        assertThat(bell).containsExactly(Wake.NEWS);
    }

    @Test
    void eventsComeAtOnceOnAQuietNode() {
        waiters.answered(PHONE);
        var waiter = waiters.enter(PHONE);
        var bell = bell(waiter);
        waiters.wake(Urgency.SOON);
        assertThat(bell).containsExactly(Wake.NEWS);
        assertThat(waiter.isDue(Urgency.SOON)).isTrue();
    }

    @Test
    void eventsGatherOnABusyNodeOnlyAfterAnAnswer() {
        pressure = 1;
        pass(5_000);
        assertThat(waiters.enter(PHONE).isDue(Urgency.SOON)).isTrue();
        waiters.answered(PHONE);
        pass(30);
        var waiter = waiters.enter(PHONE);
        var bell = bell(waiter);
        waiters.wake(Urgency.LATER);
        waiters.wake(Urgency.SOON);
        assertThat(waiter.isDue(Urgency.SOON)).isFalse();
        pass(80);
        assertThat(bell).containsExactly(Wake.NEWS);
        assertThat(waiter.isDue(Urgency.SOON)).isTrue();
    }

    @Test
    void theEndOfASessionAndTheShutdownDoNotWait() {
        waiters.answered(PHONE);
        var waiter = waiters.enter(PHONE);
        waiters.wake(Urgency.LATER);
        var bell = bell(waiter);
        waiters.wake(PHONE, Wake.SESSION_ENDED);
        assertThat(bell).containsExactly(Wake.SESSION_ENDED);
        pass(2_000);
        assertThat(bell(waiter)).containsExactly(Wake.SESSION_ENDED);
    }

    @Test
    void theHighestUrgencyOfAReaderCounts() {
        waiters.answered(PHONE);
        var others = new Waiters(gathering);
        others.answered(PHONE);
        var bell = bell(waiters.enter(PHONE));
        var otherBell = bell(others.enter(PHONE));
        var wakes = new Wakes();
        wakes.of(Urgency.LATER).add(waiters);
        wakes.of(Urgency.LATER).add(others);
        wakes.of(Urgency.NOW).add(waiters);
        wakes.ring();
        assertThat(bell).containsExactly(Wake.NEWS);
        assertThat(otherBell).isEmpty();
    }

    @Test
    void pressureGrowsWithTheLoadOfTheProcessors() {
        assertThat(ProcessorLoad.pressure(Double.NaN)).isZero();
        assertThat(ProcessorLoad.pressure(0.7)).isZero();
        assertThat(ProcessorLoad.pressure(0.8)).isBetween(0.3, 0.5);
        assertThat(ProcessorLoad.pressure(1)).isEqualTo(1);
    }
}
