package rookery.e2e.lossless;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What the person at the keyboard asked for.
 *
 * @param scenarios in their order
 * @param run the script that starts a Rookery
 * @param seed of the kills
 */
record Options(
        List<Scenario> scenarios,
        Path run,
        Path data,
        Duration length,
        double perSecond,
        int kills,
        long seed,
        boolean help) {
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
            """;

    static Options parse(List<String> words, Path run, Path data, long seed) {
        var scenarios = new ArrayList<Scenario>();
        var options = new Options(List.of(), run, data, Duration.ofSeconds(60), 100, 10, seed, false);
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
                        scenarios, run, data, Duration.ofSeconds(number(option, value)), perSecond, kills, seed, help);
            case "--rate" -> new Options(scenarios, run, data, length, number(option, value), kills, seed, help);
            case "--kills" ->
                new Options(scenarios, run, data, length, perSecond, (int) number(option, value), seed, help);
            case "--seed" -> new Options(scenarios, run, data, length, perSecond, kills, number(option, value), help);
            case "--data" -> new Options(scenarios, run, Path.of(value), length, perSecond, kills, seed, help);
            default -> throw new IllegalArgumentException("unknown option %s; --help lists them all".formatted(option));
        };
    }

    private Options helping() {
        return new Options(scenarios, run, data, length, perSecond, kills, seed, true);
    }

    private Options of(List<Scenario> chosen) {
        return new Options(List.copyOf(chosen), run, data, length, perSecond, kills, seed, help);
    }

    private static long number(String option, String value) {
        try {
            return Long.parseLong(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("%s needs a number, not %s".formatted(option, value), e);
        }
    }
}
