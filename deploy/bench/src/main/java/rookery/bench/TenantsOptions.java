// SPDX-License-Identifier: Apache-2.0
package rookery.bench;

import picocli.CommandLine.Option;

/** The options of {@code deploy/bench/tenants}. */
final class TenantsOptions extends LoadOptions {
    static final String HELP = """
            deploy/bench/tenants starts a Rookery of its own with one tenant, makes the others over the API of operators, registers
            their users, and compares the start, the memory and the CPU of a message with those of one tenant, in turns, each after a
            start and a warm-up.

              --tenants N          in the end (1000)
              --users N            of each but the first (10)
              --rooms N            of the first, in which messages are sent in turns (10)
              --members N          of each room, each in a long poll (10)
              --rounds N           of one tenant and many (3)
              --rate N             messages a second (20)
              --seconds N          of each measurement (60)
              --warm-up N          seconds before (60)
            """;

    @Option(names = "--tenants")
    int tenants = 1_000;

    @Option(names = "--rounds")
    int rounds = 3;

    @Option(names = "--users")
    int users = 10;

    TenantsOptions() {
        super(10);
        rooms = 10;
    }
}
