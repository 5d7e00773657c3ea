// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.model;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import rookery.e2e.running.Instance;
import rookery.e2e.running.Rookery;

/**
 * The environment of conversations.
 *
 * @param tenants by number, from 1
 * @param steps of each user
 * @param faults whether processes are killed
 * @param counts whether unread counts are checked
 * @param settleWithin the longest time until push-service and all nodes have final counts
 * @param gathered has a permit for each conversation whose users are registered
 * @param quiet 0 when all killed processes run again
 */
record Stage(
        Rookery rookery,
        InstanceAccess access,
        List<String> tenants,
        int steps,
        boolean faults,
        boolean counts,
        Duration settleWithin,
        CountDownLatch quiet,
        Semaphore registrations,
        Semaphore gathered)
        implements AutoCloseable {
    /** The server hashes passwords slowly and refuses registrations when too many wait. */
    private static final int REGISTRATIONS_AT_ONCE = 3;

    private static final Duration SETTLE_WITHIN = Duration.ofMinutes(1);
    /** A short time, because an injected fault is permanent. */
    private static final Duration SETTLE_WITHIN_WHEN_SPOILT = Duration.ofSeconds(7);

    private static final int RETRIES_MAX = 50;
    private static final int RETRIES_MAX_WITH_FAULTS = 600;

    Stage {
        tenants = List.copyOf(tenants);
    }

    static Stage in(
            Rookery rookery, List<String> tenants, int steps, List<Instance> spoilt, boolean faults, boolean counts) {
        return new Stage(
                rookery,
                new InstanceAccess(rookery, spoilt, faults),
                tenants,
                steps,
                faults,
                counts,
                spoilt.isEmpty() ? SETTLE_WITHIN : SETTLE_WITHIN_WHEN_SPOILT,
                new CountDownLatch(faults ? 1 : 0),
                new Semaphore(REGISTRATIONS_AT_ONCE),
                new Semaphore(0));
    }

    /** The number of attempts, five per second, before a failure is reported. */
    int retriesMax() {
        return faults ? RETRIES_MAX_WITH_FAULTS : RETRIES_MAX;
    }

    boolean isQuiet() {
        return quiet.getCount() == 0;
    }

    void awaitQuiet() throws InterruptedException {
        quiet.await();
    }

    @Override
    public void close() {
        access.close();
    }
}
