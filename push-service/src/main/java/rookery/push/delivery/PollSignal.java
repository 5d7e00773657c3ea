// SPDX-License-Identifier: Apache-2.0
package rookery.push.delivery;

import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.stereotype.Component;

/**
 * Signals the worker to look for due units immediately. Units created here become visible at the end of a transaction that this
 * class does not know, so the signal lasts for several ticks. Units of other instances wait for the poll interval.
 */
@Component
class PollSignal {
    private static final int LOOKS = 50;

    private final AtomicInteger looks = new AtomicInteger();

    /** Units are being created. */
    void soon() {
        looks.set(LOOKS);
    }

    /** More units may be due in the same lanes. */
    void onceMore() {
        looks.updateAndGet(left -> Math.max(left, 1));
    }

    /** Called once per tick. */
    boolean isNow() {
        return looks.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
    }
}
