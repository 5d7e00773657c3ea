// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.lossless;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import rookery.e2e.load.Kills;
import rookery.e2e.running.FrozenProcesses;
import rookery.e2e.running.Plan;
import rookery.e2e.running.Rookery;

/** The disturbance during a talk. */
enum Scenario {
    QUIET(true),
    KILLS(true),
    SILENT(true),
    RESTART(false);

    /** Instances to kill in turn, so that ten kills hit all three services. */
    private static final List<String> VICTIMS =
            List.of("room-service-1", "sync-service-1", "kafka-1", "room-service-2", "sync-service-2");

    private static final String CLUSTER = "room=2,sync=2";

    private final boolean isCluster;

    Scenario(boolean isCluster) {
        this.isCluster = isCluster;
    }

    String title() {
        return name().toLowerCase(Locale.ROOT);
    }

    Plan plan(Plan plan) {
        return isCluster ? plan.cluster(CLUSTER) : plan;
    }

    /** The longest delay of a message without a disturbance, below the timeout of a long poll; null with a disturbance. */
    @Nullable
    Duration patience() {
        return this == QUIET ? Duration.ofSeconds(15) : null;
    }

    Runnable disturbance(Rookery rookery, Options options, Consumer<String> progress) {
        return switch (this) {
            case QUIET -> () -> {};
            case KILLS -> Kills.random(rookery, options.seed, options.kills, options.length, VICTIMS, progress);
            case SILENT -> () -> silence(rookery, options.length, progress);
            case RESTART -> () -> restart(rookery, options.length, progress);
        };
    }

    /** Stops all PostgreSQL processes of room-service, with their locks and connections, for two thirds of the time. */
    private static void silence(Rookery rookery, Duration length, Consumer<String> progress) {
        LockSupport.parkNanos(length.dividedBy(6).toNanos());
        try (var _ = FrozenProcesses.freezeBackends(rookery, "room-service")) {
            progress.accept("the backends of room-service stand still");
            LockSupport.parkNanos(length.multipliedBy(2).dividedBy(3).toNanos());
        }
        progress.accept("they go on");
    }

    private static void restart(Rookery rookery, Duration length, Consumer<String> progress) {
        LockSupport.parkNanos(length.dividedBy(3).toNanos());
        progress.accept("killing everything");
        rookery.killAll();
        progress.accept("all of it is gone; starting again");
        rookery.startAgain();
        progress.accept("ready again");
    }
}
