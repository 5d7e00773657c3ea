package rookery.e2e.lossless;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The options of {@code deploy/e2e/lossless}. */
final class Options {
    static final String HELP = """
            deploy/e2e/lossless [SCENARIO...]   20 clients of two tenants talk in 5 rooms; then the record is judged

              quiet                a local cluster with two room-service and two sync-service instances
              kills                the same, while Kafka, room-service and sync-service are killed with kill -9
              silent               the same, while all backends of room-service are stopped for two thirds of the time
              restart              one JVM, killed with everything that belongs to it and started again

              --seconds N          how long they talk (60)
              --rate N             messages a second (100)
              --kills N            of the scenario kills (10)
              --seed N             of the moments and victims, to see a run again
              --data DIR           where the data is kept; removed before and afterwards

              --url URL            instead of a scenario: 20 clients of a Rookery that runs elsewhere, whatever happens to it meanwhile;
                                   its rate limit must let 20 clients of one address in
              --database HOST:PORT   where its PostgreSQL is
              --stop-file FILE     they talk until this file is there, and not for a time
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

    @Option(names = "--data")
    Path data = Path.of(System.getProperty("rookery.data", "target/lossless")).toAbsolutePath();

    /** A running Rookery to use; null to start a Rookery for each scenario. */
    @ArgGroup(exclusive = false)
    @Nullable
    RemoteRookery remote;

    /** The scenarios in their order. */
    List<Scenario> scenarios() {
        return scenarios.isEmpty() ? List.of(Scenario.values()) : scenarios;
    }
}
