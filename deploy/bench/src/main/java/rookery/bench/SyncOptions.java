// SPDX-License-Identifier: Apache-2.0
package rookery.bench;

import java.util.EnumSet;
import picocli.CommandLine.Option;
import rookery.program.Program;

/** The options of {@code deploy/bench/sync}. */
final class SyncOptions extends LoadOptions {
    static final String HELP = """
            deploy/bench/sync measures a Rookery that runs on this machine as processes of their own, such as
            deploy/run --cluster gateway=2,room=1,sync=1 --max-requests 1000000000

            delivery: from send to the answer of a long poll, in rooms of 10, 100 and 1,000 members who all listen
            initial:  the first sync of a user with 1,000 rooms
            quiet:    a sync with nothing new
            parked:   what 10,000 requests that wait take
            start:    from the end of a sync-service to the first answer of the next one, behind a million entries

              --url URL            where it is (http://localhost:8008)
              --prefix PATH        of every request (/_api/client)
              --only KINDS         what is measured, such as quiet,parked (all, in this order)
              --members N          requests that wait (10000); accounts are written into the database, not registered
              --rate N             messages a second to ten listeners, fewer to more of them (20)
              --seconds N          of each measurement (60)
              --warm-up N          seconds of the same before each (60)
              --data DIR           its data folder (data/ in the project)
            """;

    /** A separate measurement; measurements run in this order. */
    enum Kind {
        DELIVERY,
        INITIAL,
        QUIET,
        PARKED,
        START
    }

    @Option(names = "--only", split = Program.COMMA, paramLabel = "some of delivery,initial,quiet,parked,start")
    EnumSet<Kind> kinds = EnumSet.allOf(Kind.class);

    SyncOptions() {
        super(MANY_MEMBERS);
    }
}
