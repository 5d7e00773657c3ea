// SPDX-License-Identifier: Apache-2.0
package rookery.bench;

import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Option;
import rookery.bench.Noise.Kind;
import rookery.program.Program;

/** The options of {@code deploy/bench/neighbours}. */
final class NeighboursOptions extends LoadOptions {
    static final String HELP = """
            deploy/bench/neighbours makes two tenants in a Rookery that runs. In the quiet one messages go to members in long polls.
            Periods in which the noisy one does nothing alternate with periods in which the noisy one offers ten times its limit
            of requests, of one kind after the other. The result is the quiet tenant's p99 beside the noise, divided by the p99 of
            the period before.

              --url URL            where it is (http://localhost:8008); start it with --max-requests 1000000000 --push-to-private
              --rooms N            of the quiet tenant (10)
              --members N          of each room, each in a long poll (10)
              --rate N             messages a second of the quiet tenant (20)
              --kinds LIST         of noise, with commas (SENDS,LOGINS,COLD_SYNCS,UPLOADS,PUSHES)
              --limit N            requests a second of the noisy tenant (20); 0 for none
              --pushes N           pushes a second of the noisy tenant (100), a tenth of those its messages ask for; 0 for no limit
              --offered N          requests a second that the noisy tenant sends (200)
              --pairs N            of periods, for each kind (5)
              --seconds N          of each period (60)
              --warm-up N          seconds before (60)
              --noise-warm-up N    seconds of each kind of noise before its pairs (60)
              --data DIR           its data folder, for the operators' API and the CPU of each process (data/ in the project)
              --json FILE          writes the numbers there, too
            """;

    @Option(names = "--kinds", split = Program.COMMA)
    List<Kind> kinds = List.of(Kind.values());

    @Option(names = "--limit")
    int limit = 20;

    @Option(names = "--pushes")
    int pushes = 100;

    @Option(names = "--offered")
    double offered = 200;

    @Option(names = "--noise-warm-up")
    Duration noiseWarmUp = Duration.ofSeconds(60);

    @Option(names = "--pairs")
    int pairs = 5;

    NeighboursOptions() {
        super(10);
        rooms = 10;
        length = Duration.ofSeconds(60);
    }
}
