package rookery.e2e.model;

import java.util.concurrent.CountDownLatch;

/**
 * What the clients of a conversation wait for, so that its beginning and its end are the same for all of them.
 *
 * @param ready at 0 once every device has begun its chain
 * @param parked at 0 once every device has begun the poll that the last words shall end
 * @param said at 0 once the last words are accepted
 */
record Phases(CountDownLatch ready, CountDownLatch parked, CountDownLatch said) {
    static Phases of(int devices) {
        return new Phases(new CountDownLatch(devices), new CountDownLatch(devices), new CountDownLatch(1));
    }
}
