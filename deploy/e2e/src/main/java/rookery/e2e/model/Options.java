package rookery.e2e.model;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import rookery.e2e.api.CommandLine;

/**
 * What the person at the keyboard asked for.
 *
 * @param quick whether to run what is built, as the tests run it
 * @param counts whether unread counts are judged, too
 * @param sabotage the SyncFault of one of the sync nodes, or null; several, separated by commas, are tried one after the other
 * @param kills how many processes are killed meanwhile
 */
record Options(
        long first,
        long seeds,
        long times,
        Duration within,
        int steps,
        int atOnce,
        boolean quick,
        boolean counts,
        @Nullable String sabotage,
        int kills,
        Path run,
        Path data,
        boolean help) {
    static final String HELP = """
            deploy/e2e/model       random conversations; each answer of sync is held against a model of what it must be

              --seeds N            how many conversations (50)
              --first N            the first one's seed (1): --first 17 --seeds 1 plays number 17 again
              --times N            plays each so often (1), for what hangs on the moment as well
              --minutes M          begin no other one after so long (240)
              --steps N            what each of its four people does (60)
              --at-once N          how many conversations run at the same time (4)
              --quick              run what is built already, compiled for a short life
              --without-counts     do not judge unread counts
              --kills N            play --at-once of them while so many processes are killed, each kind in its turn
              --sabotage NAMES     spoil a sync node on purpose, in one way after the other: the run must fail
              --data DIR           where the data is kept; removed before and afterwards
            """;

    private static final Set<String> FLAGS = Set.of("--help", "-h", "--quick", "--without-counts");
    private static final Set<String> VALUES = Set.of(
            "--seeds", "--first", "--times", "--minutes", "--steps", "--at-once", "--kills", "--sabotage", "--data");

    /** Which conversations to hold. */
    LongStream numbers() {
        return LongStream.range(first, first + seeds)
                .flatMap(seed -> LongStream.generate(() -> seed).limit(times));
    }

    static Options parse(List<String> words, Path run, Path data) {
        var given = CommandLine.parse(words, FLAGS, VALUES);
        return new Options(
                given.number("--first", 1),
                given.number("--seeds", 50),
                given.number("--times", 1),
                Duration.ofMinutes(given.number("--minutes", 240)),
                (int) given.number("--steps", 60),
                (int) given.number("--at-once", 4),
                given.has("--quick"),
                !given.has("--without-counts"),
                given.has("--sabotage") ? given.text("--sabotage", "") : null,
                (int) given.number("--kills", 0),
                run,
                Path.of(given.text("--data", data.toString())),
                given.has("--help") || given.has("-h"));
    }
}
