// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.model;

import java.util.concurrent.CountDownLatch;

/**
 * The phases of a conversation, on which its clients synchronize.
 *
 * @param ready 0 when every device has begun its chain
 * @param parked 0 when every device has begun the poll that the last action shall end
 * @param lastAction 0 when the last action is accepted
 */
record Phases(CountDownLatch ready, CountDownLatch parked, CountDownLatch lastAction) {
    static Phases of(int devices) {
        return new Phases(new CountDownLatch(devices), new CountDownLatch(devices), new CountDownLatch(1));
    }
}
