// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.model;

import java.util.List;
import java.util.stream.LongStream;
import picocli.CommandLine.Option;
import rookery.e2e.trial.TrialOptions;
import rookery.program.Program;

/** The options of {@code deploy/e2e/model}. */
final class Options extends TrialOptions {
    static final String HELP = """
            deploy/e2e/model       random conversations; each sync response is compared with a model

              --seeds N            number of conversations (50)
              --first N            seed of the first (1): --first 17 --seeds 1 repeats number 17
              --times N            repetitions of each (1), for faults that depend on timing
              --minutes M          begin no conversation after this time (240)
              --steps N            actions of each of the four users (60)
              --at-once N          concurrent conversations (4)
              --quick              run the built jars with flags for short-lived JVMs
              --without-counts     do not check unread counts
              --kills N            play --at-once conversations during N kills of all processes in turn
              --sabotage NAMES     inject these faults into a sync node, one after the other: the run must fail
              --data DIR           folder of the data, deleted before and after the run
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

    /** The seeds to play. */
    LongStream numbers() {
        return LongStream.range(first, first + seeds)
                .flatMap(seed -> LongStream.generate(() -> seed).limit(times));
    }
}
