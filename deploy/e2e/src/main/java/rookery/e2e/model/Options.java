package rookery.e2e.model;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the person at the keyboard asked for.
 *
 * @param quick whether to run what is built, as the tests run it
 * @param sabotage how one of the sync nodes is spoilt, or null; several, separated by commas, are tried one after the other
 * @param kills how many processes are killed meanwhile
 */
record Options(
        long first,
        long seeds,
        Duration within,
        int steps,
        int atOnce,
        boolean quick,
        @Nullable String sabotage,
        int kills,
        Path run,
        Path data,
        boolean help) {
    static final String HELP = """
            deploy/e2e/model       random conversations; each answer of sync is held against a model of what it must be

              --seeds N            how many conversations (50)
              --first N            the first one's seed (1): --first 17 --seeds 1 plays number 17 again
              --minutes M          begin no other one after so long (240)
              --steps N            what each of its four people does (60)
              --at-once N          how many conversations run at the same time (4)
              --quick              run what is built already, compiled for a short life
              --kills N            play --at-once of them while so many processes are killed
              --sabotage NAMES     spoil a sync node on purpose, in one way after the other: the run must fail
              --data DIR           where the data is kept; removed before and afterwards
            """;

    static Options parse(List<String> words, Path run, Path data) {
        var options = new Options(1, 50, Duration.ofHours(4), 60, 4, false, null, 0, run, data, false);
        var rest = words.iterator();
        while (rest.hasNext()) {
            var word = rest.next();
            if (word.equals("--help") || word.equals("-h")) {
                options = new Options(1, 0, Duration.ZERO, 0, 1, false, null, 0, run, data, true);
            } else if (word.equals("--quick")) {
                options = options.quickly();
            } else if (rest.hasNext()) {
                options = options.with(word, rest.next());
            } else {
                throw new IllegalArgumentException(word + " needs a value; --help shows how it looks");
            }
        }
        return options;
    }

    private Options quickly() {
        return new Options(first, seeds, within, steps, atOnce, true, sabotage, kills, run, data, help);
    }

    private Options with(String option, String value) {
        return switch (option) {
            case "--first" ->
                new Options(
                        number(option, value), seeds, within, steps, atOnce, quick, sabotage, kills, run, data, help);
            case "--seeds" ->
                new Options(
                        first, number(option, value), within, steps, atOnce, quick, sabotage, kills, run, data, help);
            case "--minutes" -> {
                var time = Duration.ofMinutes(number(option, value));
                yield new Options(first, seeds, time, steps, atOnce, quick, sabotage, kills, run, data, help);
            }
            case "--steps" ->
                new Options(
                        first,
                        seeds,
                        within,
                        (int) number(option, value),
                        atOnce,
                        quick,
                        sabotage,
                        kills,
                        run,
                        data,
                        help);
            case "--at-once" ->
                new Options(
                        first,
                        seeds,
                        within,
                        steps,
                        (int) number(option, value),
                        quick,
                        sabotage,
                        kills,
                        run,
                        data,
                        help);
            case "--sabotage" -> new Options(first, seeds, within, steps, atOnce, quick, value, kills, run, data, help);
            case "--kills" -> {
                int number = (int) number(option, value);
                yield new Options(first, seeds, within, steps, atOnce, quick, sabotage, number, run, data, help);
            }
            case "--data" ->
                new Options(first, seeds, within, steps, atOnce, quick, sabotage, kills, run, Path.of(value), help);
            default -> throw new IllegalArgumentException("unknown option %s; --help lists them all".formatted(option));
        };
    }

    private static long number(String option, String value) {
        try {
            return Long.parseLong(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("%s needs a number, not %s".formatted(option, value), e);
        }
    }
}
