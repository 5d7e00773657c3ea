// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.claims;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import rookery.e2e.load.Crowd;
import rookery.e2e.running.Rookery;
import rookery.e2e.trial.Trial;

/**
 * The program behind {@code deploy/e2e/claims}: exits with 0 when each one-time key was given out once, followed by the
 * fallback key.
 */
public final class ClaimsApplication {
    private static final String CLUSTER = "auth=2";
    private static final List<String> VICTIMS = List.of("auth-service-1", "auth-service-2");
    private static final int KEYS_OF_DEVICE = 1000;

    private final Options options;
    private final Trial trial;

    private ClaimsApplication(Options options, Trial trial) {
        this.options = options;
        this.trial = trial;
    }

    public static void main(String[] arguments) throws IOException {
        Trial.main(
                "claims",
                Options.HELP,
                new Options(),
                arguments,
                (options, trial) -> new ClaimsApplication(options, trial).run());
    }

    private boolean run() throws IOException {
        return trial.on(trial.plan().cluster(CLUSTER).with("-Drookery.auth.keys.claims-per-day=1000000"), this::claim);
    }

    private boolean claim(Rookery rookery) throws IOException {
        int clients = options.clients;
        int devices = Math.max(1, (options.keys + KEYS_OF_DEVICE - 1) / KEYS_OF_DEVICE);
        var size = new Crowd.TenantSize(rookery.site(), clients + devices, 1);
        try (var crowd = Crowd.gather("claims", List.of(size))) {
            trial.say("%d clients and %d devices are registered".formatted(clients, devices));
            var people = crowd.circles().getFirst().people();
            var report = ClaimLoad.hold(
                    rookery,
                    people.subList(0, clients),
                    people.subList(clients, people.size()),
                    options.keys / devices,
                    victims(options.kills),
                    trial::say);
            return trial.judge(report.faults(), "EACH KEY ONCE", report.summary());
        }
    }

    private static List<String> victims(int kills) {
        var victims = new ArrayList<String>();
        for (int i = 0; i < kills; i++) {
            victims.add(VICTIMS.get(i % VICTIMS.size()));
        }
        return victims;
    }
}
