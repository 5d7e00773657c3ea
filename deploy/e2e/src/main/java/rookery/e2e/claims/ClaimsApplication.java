package rookery.e2e.claims;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import rookery.e2e.load.Crowd;
import rookery.e2e.running.Plan;
import rookery.e2e.running.Rookery;
import rookery.embedded.Folders;
import rookery.program.Program;

/**
 * The program behind {@code deploy/e2e/claims}: exits with 0 when each one-time key was given out once, followed by the
 * fallback key.
 */
public final class ClaimsApplication {
    private static final String CLUSTER = "auth=2";
    private static final List<String> VICTIMS = List.of("auth-service-1", "auth-service-2");
    private static final int KEYS_OF_DEVICE = 1000;
    private static final int SHOWN = 20;

    private final Options options;
    private final long begunNanos = System.nanoTime();

    private ClaimsApplication(Options options) {
        this.options = options;
    }

    public static void main(String[] arguments) throws IOException {
        Program.run(
                "deploy/e2e/claims",
                Options.HELP,
                new Options(),
                arguments,
                options -> new ClaimsApplication(options).run());
    }

    private boolean run() throws IOException {
        int clients = options.clients;
        int devices = Math.max(1, (options.keys + KEYS_OF_DEVICE - 1) / KEYS_OF_DEVICE);
        var data = options.data.toAbsolutePath();
        Folders.delete(data);
        say("starting " + CLUSTER);
        var plan = Plan.of(Path.of(System.getProperty("rookery.run", "deploy/run")), data)
                .cluster(CLUSTER)
                .with("-Drookery.auth.keys.claims-per-day=1000000");
        try (var rookery = Rookery.start(plan)) {
            say("ready");
            var size = new Crowd.TenantSize(rookery.site(), clients + devices, 1);
            try (var crowd = Crowd.gather("claims", List.of(size))) {
                say("%d clients and %d devices are there".formatted(clients, devices));
                var people = crowd.circles().getFirst().people();
                return judge(ClaimLoad.hold(
                        rookery,
                        people.subList(0, clients),
                        people.subList(clients, people.size()),
                        options.keys / devices,
                        victims(options.kills),
                        this::say));
            }
        } finally {
            Folders.delete(data);
        }
    }

    private static List<String> victims(int kills) {
        var victims = new ArrayList<String>();
        for (int i = 0; i < kills; i++) {
            victims.add(VICTIMS.get(i % VICTIMS.size()));
        }
        return victims;
    }

    private boolean judge(ClaimReport claimed) {
        var faults = claimed.faults();
        faults.stream().limit(SHOWN).forEach(this::say);
        say("%s: %s; %d faults"
                .formatted(faults.isEmpty() ? "EACH KEY ONCE" : "NOT EACH KEY ONCE", claimed.summary(), faults.size()));
        return faults.isEmpty();
    }

    private void say(String line) {
        System.out.printf(Locale.ROOT, "%7.1f s %s%n", (System.nanoTime() - begunNanos) / 1e9, line);
    }
}
