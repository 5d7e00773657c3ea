package rookery.e2e.model;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import picocli.CommandLine.Option;
import rookery.program.Program;

/** The options of {@code deploy/e2e/model}. */
final class Options {
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

    @Option(names = "--seeds")
    private long seeds = 50;

    @Option(names = "--first")
    long first = 1;

    @Option(names = "--times")
    private long times = 1;

    @Option(names = "--minutes")
    long minutes = 240;

    @Option(names = "--steps")
    int steps = 60;

    @Option(names = "--at-once")
    int atOnce = 4;

    /** Whether to run the built jars as the tests do. */
    @Option(names = "--quick")
    boolean quick;

    @Option(names = "--without-counts")
    boolean withoutCounts;

    /** The number of kills. */
    @Option(names = "--kills")
    int kills;

    /** The SyncFaults to try, one after the other. */
    @Option(names = "--sabotage", split = Program.COMMA)
    List<String> sabotages = List.of();

    @Option(names = "--data")
    Path data = Path.of(System.getProperty("rookery.data", "target/model")).toAbsolutePath();

    /** The seeds to play. */
    LongStream numbers() {
        return LongStream.range(first, first + seeds)
                .flatMap(seed -> LongStream.generate(() -> seed).limit(times));
    }
}
