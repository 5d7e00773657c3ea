package rookery.push.delivery;

import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.stereotype.Component;

/**
 * Whether to look for due pushes now, or whenever it is time. Units that are made here can be seen when their transaction ends,
 * which this does not know, but soon; what other instances make may wait for the usual time.
 */
@Component
class PollSignal {
    private static final int LOOKS = 50;

    private final AtomicInteger looks = new AtomicInteger();

    /** Units are being made. */
    void soon() {
        looks.set(LOOKS);
    }

    /** There may be more where the last ones came from. */
    void onceMore() {
        looks.updateAndGet(left -> Math.max(left, 1));
    }

    /** Asked each time that one might look. */
    boolean isNow() {
        return looks.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
    }
}
