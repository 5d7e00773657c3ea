package rookery.e2e.model;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import rookery.e2e.running.Instance;
import rookery.e2e.running.Rookery;

/**
 * Where conversations are held.
 *
 * @param tenants by their number, which begins at 1
 * @param steps of each person
 * @param faults whether processes are killed meanwhile
 * @param counts whether unread counts are judged
 * @param settleWithin after this, push-service has heard of everything and nodes have asked it again, however slow the machine is
 * @param gathered has a permit for each conversation whose people are there
 * @param quiet at 0 once all of them run again
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
    /** The server hashes passwords slowly, and refuses when too many wait for it. */
    private static final int REGISTRATIONS_AT_ONCE = 3;

    private static final Duration SETTLE_WITHIN = Duration.ofMinutes(1);
    /** A fault that is to be found is there for ever. */
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

    /** How often something is tried, five times a second, before that is trouble. */
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
