package rookery.e2e.lossless;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the person at the keyboard asked for.
 *
 * @param scenarios in their order
 * @param run the script that starts a Rookery
 * @param seed of the kills
 * @param remote a Rookery that runs already, which is then the only one that is talked to; null to start one for each scenario
 */
record Options(
        List<Scenario> scenarios,
        Path run,
        Path data,
        Duration length,
        double perSecond,
        int kills,
        long seed,
        boolean help,
        @Nullable RemoteRookery remote) {
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

    static Options parse(List<String> words, Path run, Path data, long seed) {
        var scenarios = new ArrayList<Scenario>();
        var options = new Options(List.of(), run, data, Duration.ofSeconds(60), 100, 10, seed, false, null);
        var rest = words.iterator();
        while (rest.hasNext()) {
            var word = rest.next();
            if (!word.startsWith("-")) {
                scenarios.add(Scenario.named(word));
            } else if (word.equals("--help") || word.equals("-h")) {
                options = options.helping();
            } else if (rest.hasNext()) {
                options = options.with(word, rest.next());
            } else {
                throw new IllegalArgumentException(word + " needs a value; --help shows how it looks");
            }
        }
        return options.of(scenarios.isEmpty() ? List.of(Scenario.values()) : scenarios);
    }

    private Options with(String option, String value) {
        return switch (option) {
            case "--seconds" ->
                new Options(
                        scenarios,
                        run,
                        data,
                        Duration.ofSeconds(number(option, value)),
                        perSecond,
                        kills,
                        seed,
                        help,
                        remote);
            case "--rate" ->
                new Options(scenarios, run, data, length, number(option, value), kills, seed, help, remote);
            case "--kills" ->
                new Options(scenarios, run, data, length, perSecond, (int) number(option, value), seed, help, remote);
            case "--seed" ->
                new Options(scenarios, run, data, length, perSecond, kills, number(option, value), help, remote);
            case "--data" -> new Options(scenarios, run, Path.of(value), length, perSecond, kills, seed, help, remote);
            case "--url" -> at(remoteSoFar().at(URI.create(value)));
            case "--database" -> at(remoteSoFar().withDatabase(value));
            case "--stop-file" -> at(remoteSoFar().withStopFile(Path.of(value)));
            case "--passwords" -> at(remoteSoFar().withPasswords(Path.of(value)));
            default -> throw new IllegalArgumentException("unknown option %s; --help lists them all".formatted(option));
        };
    }

    private Options at(RemoteRookery other) {
        return new Options(scenarios, run, data, length, perSecond, kills, seed, help, other);
    }

    private RemoteRookery remoteSoFar() {
        return remote == null ? RemoteRookery.COMPOSE : remote;
    }

    private Options helping() {
        return new Options(scenarios, run, data, length, perSecond, kills, seed, true, remote);
    }

    private Options of(List<Scenario> chosen) {
        return new Options(List.copyOf(chosen), run, data, length, perSecond, kills, seed, help, remote);
    }

    private static long number(String option, String value) {
        try {
            return Long.parseLong(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("%s needs a number, not %s".formatted(option, value), e);
        }
    }
}
