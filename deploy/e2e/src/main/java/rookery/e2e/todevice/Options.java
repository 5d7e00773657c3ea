// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.todevice;

import java.security.SecureRandom;
import java.time.Duration;
import picocli.CommandLine.Option;
import rookery.e2e.trial.TrialOptions;

/** The options of {@code deploy/e2e/to-device}. */
final class Options extends TrialOptions {
    static final String HELP = """
            deploy/e2e/to-device   devices of two tenants send each other messages while processes are killed with kill -9; each
                                   message must be delivered until its acknowledgement, never after, in order and once

              --seconds N          time of sending (180)
              --rate N             messages a second (40)
              --kills N            of the instances in turn, spread over that time (12)
              --seed N             of the times, to repeat a run
              --strict             an initial sync directly after an acknowledgement must not return the message either
              --data DIR           folder of the data, deleted before and after the run
            """;

    @Option(names = "--seconds")
    Duration length = Duration.ofMinutes(3);

    @Option(names = "--rate")
    double perSecond = 40;

    @Option(names = "--kills")
    int kills = 12;

    @Option(names = "--seed")
    long seed = new SecureRandom().nextInt(1_000_000);

    @Option(names = "--strict")
    boolean strict;
}
