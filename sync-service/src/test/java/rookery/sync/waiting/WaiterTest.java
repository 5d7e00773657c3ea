// SPDX-License-Identifier: Apache-2.0
package rookery.sync.waiting;

import org.junit.jupiter.api.Test;
import reactor.test.StepVerifier;
import rookery.model.id.DeviceId;

class WaiterTest {
    private static final DeviceId DEVICE = new DeviceId("D");

    private final Waiters waiters = new Waiters(Gathering.none());
    private final Waiter waiter = waiters.enter(DEVICE);

    @Test
    void aWakeBetweenLookingAndWaitingIsHeard() {
        var bell = waiter.listening();
        waiters.wake(Wake.NEWS);
        StepVerifier.create(bell).expectNext(Wake.NEWS).verifyComplete();
    }

    @Test
    void aWakeBeforeListeningIsNotHeard() {
        waiters.wake(Wake.NEWS);
        var bell = waiter.listening();
        waiters.wake(Wake.SHUTDOWN);
        StepVerifier.create(bell).expectNext(Wake.SHUTDOWN).verifyComplete();
    }

    @Test
    void theEndOfASessionIsHeardHoweverLate() {
        waiters.wake(Wake.NEWS);
        waiters.wake(DEVICE, Wake.SESSION_ENDED);
        StepVerifier.create(waiter.listening()).expectNext(Wake.SESSION_ENDED).verifyComplete();
        StepVerifier.create(waiter.listening()).expectNext(Wake.SESSION_ENDED).verifyComplete();
    }

    @Test
    void onlyTheDeviceWhoseSessionEndedIsConcerned() {
        var other = waiters.enter(new DeviceId("E"));
        waiters.wake(DEVICE, Wake.SESSION_ENDED);
        var bell = other.listening();
        waiters.wake(Wake.NEWS);
        StepVerifier.create(bell).expectNext(Wake.NEWS).verifyComplete();
    }

    @Test
    void whoLeftIsNotWoken() {
        var bell = waiter.listening();
        waiters.leave(waiter);
        waiters.wake(Wake.NEWS);
        StepVerifier.create(bell).expectSubscription().thenCancel().verify();
    }
}
