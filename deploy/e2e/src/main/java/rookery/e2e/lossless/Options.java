// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.lossless;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import rookery.e2e.trial.TrialOptions;

/** The options of {@code deploy/e2e/lossless}. */
final class Options extends TrialOptions {
    static final String HELP = """
            deploy/e2e/lossless [SCENARIO...]   20 clients of two tenants talk in 5 rooms; then their records are checked

              quiet                a local cluster with two room-service and two sync-service instances
              kills                the same, while Kafka, room-service and sync-service are killed with kill -9
              silent               the same, while all backends of room-service are stopped for two thirds of the time
              restart              one JVM, killed with everything that belongs to it and started again

              --seconds N          duration of the talk (60)
              --rate N             messages a second (100)
              --kills N            kills of the scenario kills (10)
              --seed N             of the times and victims, to repeat a run
              --data DIR           folder of the data, deleted before and after the run

              --url URL            instead of a scenario: 20 clients of a running Rookery; its rate limit must admit 20 clients of
                                   one address
              --database HOST:PORT   address of its PostgreSQL
              --stop-file FILE     talk until this file exists
              --passwords DIR      files called database-room and so on, as deploy/compose/secrets makes them
            """;

    @Parameters
    private List<Scenario> scenarios = List.of();

    @Option(names = "--seconds")
    Duration length = Duration.ofSeconds(60);

    @Option(names = "--rate")
    double perSecond = 100;

    @Option(names = "--kills")
    int kills = 10;

    @Option(names = "--seed")
    long seed = new SecureRandom().nextInt(1_000_000);

    /** A running Rookery to use; null to start a Rookery for each scenario. */
    @ArgGroup(exclusive = false)
    @Nullable
    RemoteRookery remote;

    /** The scenarios in their order. */
    List<Scenario> scenarios() {
        return scenarios.isEmpty() ? List.of(Scenario.values()) : scenarios;
    }
}
