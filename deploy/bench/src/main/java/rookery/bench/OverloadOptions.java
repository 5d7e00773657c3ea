// SPDX-License-Identifier: Apache-2.0
package rookery.bench;

import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Option;
import rookery.program.Program;

/** The options of {@code deploy/bench/overload}. */
final class OverloadOptions extends LoadOptions {
    static final String HELP = """
            deploy/bench/overload offers a multiple of the peak rate to a Rookery that runs: messages to members in long polls,
            and 20 token checks a second beside them. The peak is the highest rate at which deploy/bench/run with the same rooms
            and members shows a p99 below a second. 2 s after each load, messages at the normal rate show whether the server is
            as before.

              --url URL            where it is (http://localhost:8008); start it with --max-requests 1000000000
              --prefix PATH        of every request (/_api/client)
              --peak N             messages a second (800)
              --factors LIST       multiples of the peak, with commas (1.25,1.5,3)
              --rooms N            in which messages are sent in turns (10)
              --members N          of each room, each in a long poll (10)
              --rate N             normal messages a second (20)
              --seconds N          of each load (20)
              --warm-up N          seconds before, at half the peak (60)
              --data DIR           its data folder, to tell the CPU of each of its processes (data/ in the project)
              --json FILE          writes the numbers there, too
            """;

    @Option(names = "--peak")
    double peak = 800;

    @Option(names = "--factors", split = Program.COMMA)
    List<Double> factors = List.of(1.25, 1.5, 3.0);

    OverloadOptions() {
        super(10);
        rooms = 10;
        length = Duration.ofSeconds(20);
    }
}
