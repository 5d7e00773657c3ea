// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.revocation;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import rookery.e2e.api.Http;
import rookery.e2e.api.TenantAddress;
import rookery.e2e.load.Kills;
import rookery.e2e.running.FrozenProcesses;
import rookery.e2e.running.Newcomer;
import rookery.e2e.running.Rookery;
import rookery.e2e.trial.Trial;
import rookery.embedded.Deadline;

/**
 * The program behind {@code deploy/e2e/revocation}: exits with 0 when no gateway accepted a request that began after the answer to
 * the end of its session or permission.
 */
public final class RevocationApplication {
    private static final int GATEWAYS = 3;
    private static final String CLUSTER = "gateway=%d,auth=2".formatted(GATEWAYS);
    private static final Duration STOP = Duration.ofSeconds(10);
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final Options options;
    private final Trial trial;

    private RevocationApplication(Options options, Trial trial) {
        this.options = options;
        this.trial = trial;
    }

    /** A fault of the cluster. */
    private interface Fault {
        void happen() throws InterruptedException;
    }

    public static void main(String[] arguments) throws IOException {
        Trial.main(
                "revocation",
                Options.HELP,
                new Options(),
                arguments,
                (options, trial) -> new RevocationApplication(options, trial).run());
    }

    private boolean run() throws IOException {
        return trial.on(trial.plan().cluster(CLUSTER), this::revoke);
    }

    private boolean revoke(Rookery rookery) throws IOException {
        try (var load = new RevocationLoad(rookery, GATEWAYS);
                var threads = Executors.newSingleThreadExecutor()) {
            if (!options.noFaults) {
                var _ = threads.submit(() -> fail(rookery, load));
            }
            load.run(options.revocations, options.clients);
            threads.shutdownNow();
            return trial.judge(load.faults(), "NOTHING ACCEPTED AFTERWARDS", load.summary());
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The faults, spread evenly over the revocations. */
    private Void fail(Rookery rookery, RevocationLoad load) throws InterruptedException {
        try (var newcomer = Newcomer.start(rookery, "gateway", GATEWAYS + 1, List.of())) {
            List<Fault> faults = List.of(
                    () -> stop(rookery, load, "gateway-3"),
                    () -> stop(rookery, load, "redis-1"),
                    () -> kill(rookery, "auth-service-1"),
                    () -> add(newcomer, load),
                    () -> stop(rookery, load, "gateway-2"),
                    () -> kill(rookery, "redis-1"),
                    () -> kill(rookery, "auth-service-2"),
                    () -> kill(rookery, "gateway-1"),
                    () -> stop(rookery, load, "gateway-3"));
            int part = options.revocations / (faults.size() + 1);
            for (int i = 0; i < faults.size(); i++) {
                int number = (i + 1) * part;
                var _ = Deadline.in(PATIENCE).until(Duration.ofMillis(100), () -> load.ended() >= number);
                faults.get(i).happen();
            }
            TimeUnit.DAYS.sleep(1); // until the load has ended
        }
        return null;
    }

    private void stop(Rookery rookery, RevocationLoad load, String name) {
        trial.say("stopping %s for %d s".formatted(name, STOP.toSeconds()));
        try (var _ = FrozenProcesses.freeze(rookery, name)) {
            var _ = Deadline.in(STOP).until(Duration.ofMillis(100), () -> load.ended() >= options.revocations);
        }
        trial.say("%s continues".formatted(name));
    }

    private void kill(Rookery rookery, String name) {
        trial.say("killing " + name);
        var killed = rookery.kill(name);
        Kills.awaitRunning(rookery, name, killed);
        trial.say("%s runs again".formatted(name));
    }

    private void add(Newcomer newcomer, RevocationLoad load) {
        newcomer.list();
        load.add(Http.to(TenantAddress.local(newcomer.instance().port(), "localhost")));
        trial.say("added " + newcomer.instance());
    }
}
