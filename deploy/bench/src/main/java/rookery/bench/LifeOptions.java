// SPDX-License-Identifier: Apache-2.0
package rookery.bench;

import picocli.CommandLine.Option;

/** The options of {@code deploy/bench/life}. */
final class LifeOptions extends LoadOptions {
    static final String HELP = """
            deploy/bench/life measures a Rookery that runs on this machine under the traffic of people.

            Rooms: 1 with all accounts, 4 of 100 members, 10 of 30, and small ones of 2, 2, 2, 3, 3, 4, 5, 6, 8 and 10 in turns;
            0.4 %, 4.6 %, 15 % and 80 % of the messages go there. Members are chosen by a fixed seed. Connected users poll with
            the filter of Element Web (lazy loading, use_state_after) and are online. Each connected member sends a receipt
            0.2 to 1 s after a message of others arrived, at most one a second for each room. One message of three is typed
            for a second. 5 % of the connected users open a new connection each minute, one of three with an initial sync.

              --url URL            where it is (http://localhost:8008); start it with --max-requests 1000000000
              --prefix PATH        of every request (/_api/client)
              --members N          accounts, written into the database and joined to the rooms (1000)
              --connected N        of them, in long polls (300)
              --rooms N            small rooms (100)
              --rate N             messages a second (50)
              --seconds N          how long (60)
              --warm-up N          seconds of the same before that (60)
              --data DIR           its data folder (data/ in the project)
              --json FILE          writes the numbers there, too
            """;

    @Option(names = "--connected")
    int connected = 300;

    LifeOptions() {
        super(1_000);
        rate = 50;
        rooms = 100;
    }
}
