// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.jspecify.annotations.Nullable;
import rookery.e2e.running.Instance;
import rookery.e2e.running.Rookery;
import rookery.embedded.Deadline;

/** Kills processes at times derived from a seed. */
public final class Kills implements Runnable {
    /** A planned kill. */
    record Kill(Duration after, String instance) {}

    private static final Duration RETURN_PATIENCE = Duration.ofMinutes(2);

    private final Rookery rookery;
    private final List<Kill> plan;
    private final Consumer<String> progress;

    private Kills(Rookery rookery, List<Kill> plan, Consumer<String> progress) {
        this.rookery = rookery;
        this.plan = plan;
        this.progress = progress;
    }

    /**
     * Plans kills of the instances in turn, at random times within a period.
     *
     * @param progress is told of each
     */
    public static Kills random(
            Rookery rookery,
            long seed,
            int number,
            Duration within,
            List<String> instances,
            Consumer<String> progress) {
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        var plan = new ArrayList<Kill>();
        for (int i = 0; i < number; i++) {
            plan.add(new Kill(
                    Duration.ofMillis(random.nextLong(within.toMillis())), instances.get(i % instances.size())));
        }
        plan.sort(Comparator.comparing(Kill::after));
        progress.accept("kills planned with seed %d: %s".formatted(seed, plan));
        return new Kills(rookery, plan, progress);
    }

    /**
     * Plans kills of the instances in turn, one at a random time of each interval.
     *
     * @param progress is told of each
     */
    public static Kills inTurn(
            Rookery rookery,
            long seed,
            int number,
            Duration interval,
            List<String> instances,
            Consumer<String> progress) {
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        var plan = new ArrayList<Kill>();
        for (int i = 0; i < number; i++) {
            var after = interval.multipliedBy(i).plusMillis(random.nextLong(interval.toMillis()));
            plan.add(new Kill(after, instances.get(i % instances.size())));
        }
        progress.accept("kills planned with seed %d: %s".formatted(seed, plan));
        return new Kills(rookery, plan, progress);
    }

    /** Executes the plan. Returns when all killed instances run again. */
    @Override
    public void run() {
        long begunNanos = System.nanoTime();
        var killed = new HashMap<String, @Nullable Instance>();
        for (var kill : plan) {
            LockSupport.parkNanos(Math.max(0, begunNanos + kill.after().toNanos() - System.nanoTime()));
            // a dead instance is killed after its restart
            awaitRunning(rookery, kill.instance(), killed.get(kill.instance()));
            var instance = rookery.kill(kill.instance());
            killed.put(kill.instance(), instance);
            progress.accept("%5.1f s: killed %s".formatted((System.nanoTime() - begunNanos) / 1e9, instance));
        }
        killed.forEach((name, instance) -> awaitRunning(rookery, name, instance));
        progress.accept("%5.1f s: all run again".formatted((System.nanoTime() - begunNanos) / 1e9));
    }

    /**
     * Waits until the instance runs; fails after two minutes.
     *
     * @param before the killed process, which may still be dying, or null
     */
    public static void awaitRunning(Rookery rookery, String instance, @Nullable Instance before) {
        if (!Deadline.in(RETURN_PATIENCE).until(() -> rookery.runs(instance, before))) {
            throw new IllegalStateException(
                    "%s was not started again; the launcher printed %s".formatted(instance, rookery.printed()));
        }
    }
}
