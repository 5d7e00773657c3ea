// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.revocation;

import picocli.CommandLine.Option;
import rookery.e2e.trial.TrialOptions;

/** The options of {@code deploy/e2e/revocation}. */
final class Options extends TrialOptions {
    static final String HELP = """
            deploy/e2e/revocation  logs out, blocks and demotes users at any of three gateways, while gateways stop for ten seconds, and
                                   Redis, auth-service and a gateway are killed and a gateway is added; no request that begins after
                                   the answer may be accepted by any gateway

              --revocations N      ended sessions, blocked users and demoted administrators together (1000)
              --clients N          of them at a time (16)
              --no-faults          without stops and kills
              --data DIR           folder of the data, deleted before and after the run
            """;

    @Option(names = "--revocations")
    int revocations = 1000;

    @Option(names = "--clients")
    int clients = 16;

    @Option(names = "--no-faults")
    boolean noFaults;
}
