// SPDX-License-Identifier: Apache-2.0
package rookery.bench;

import java.time.Duration;
import java.util.EnumSet;
import picocli.CommandLine.Option;
import rookery.program.Program;

/** The options of {@code deploy/bench/rows}. */
final class RowsOptions extends LoadOptions {
    static final String HELP = """
            deploy/bench/rows measures one thing at a time of a Rookery that runs on this machine, in one JVM or as a cluster:

            whoami:   token checks of 32 clients, in the first 12 s and after the warm-up; comes first, for a fresh server
            idle:     nobody is connected
            quiet:    syncs of 32 clients with nothing new, from token to token
            changed:  a sync with 10 of 200 rooms changed
            sends:    messages of 32 clients without a pause, and their counting by push-service
            receipts: a message read by 60 connected members, each with a receipt within 1.8 s; 5 s for each message
            large:    0.5 messages/s in a room of 1,000 members, 100 of them in polls with lazy loading
            rename:   a new display name of a member of that room each two seconds
            renewal:  polls that wait 5 s and are renewed
            parked:   polls that wait 30 s, for 30 s
            sliding:  first answers of sliding sync to users with 50 and 5,000 rooms in turns, and a window that grows

            The CPU of each is that of all processes. "Above idle" leaves out the CPU of the same time without the operation,
            measured for 5 s after the warm-up.

              --url URL            where it is (http://localhost:8008); start it with --max-requests 1000000000
              --prefix PATH        of every request (/_api/client)
              --only KINDS         what is measured, such as quiet,large (all, in this order)
              --members N          of the large room (1000); accounts are written into the database, not registered
              --polls N            polls that wait (1000)
              --user-rooms N       of the user with many rooms (5000)
              --seconds N          of each measurement (20)
              --warm-up N          seconds of the same before each (20)
              --data DIR           its data folder (data/ in the project)
              --json FILE          writes the numbers there, too
            """;

    /** A separate measurement; measurements run in this order. */
    enum Kind {
        WHOAMI,
        IDLE,
        QUIET,
        CHANGED,
        SENDS,
        RECEIPTS,
        LARGE,
        RENAME,
        RENEWAL,
        PARKED,
        SLIDING
    }

    @Option(
            names = "--only",
            split = Program.COMMA,
            paramLabel = "some of whoami,idle,quiet,changed,sends,receipts,large,rename,renewal,parked,sliding")
    EnumSet<Kind> kinds = EnumSet.allOf(Kind.class);

    @Option(names = "--polls")
    int polls = 1_000;

    @Option(names = "--user-rooms")
    int userRooms = 5_000;

    RowsOptions() {
        super(1_000);
        length = Duration.ofSeconds(20);
        warmUp = Duration.ofSeconds(20);
    }
}
