// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.claims;

import picocli.CommandLine.Option;
import rookery.e2e.trial.TrialOptions;

/** The options of {@code deploy/e2e/claims}. */
final class Options extends TrialOptions {
    static final String HELP = """
            deploy/e2e/claims      clients of two instances of auth-service claim one-time keys until they are used up, while the
                                   instances are killed in turn with kill -9; each key must be given out once

              --keys N             keys (10000), 1000 of each device
              --clients N          claiming clients (50)
              --kills N            kills of the two instances in turn (6)
              --data DIR           folder of the data, deleted before and after the run
            """;

    @Option(names = "--keys")
    int keys = 10_000;

    @Option(names = "--clients")
    int clients = 50;

    @Option(names = "--kills")
    int kills = 6;
}
