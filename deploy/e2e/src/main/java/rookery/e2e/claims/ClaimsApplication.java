package rookery.e2e.claims;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import rookery.e2e.api.CommandLine;
import rookery.e2e.load.Crowd;
import rookery.e2e.running.Plan;
import rookery.e2e.running.Rookery;
import rookery.embedded.Folders;

/** What {@code deploy/e2e/claims} runs: exits with 0 when each key was given out once and then the fallback key. */
public final class ClaimsApplication {
    private static final String HELP = """
            deploy/e2e/claims      clients of two instances of auth-service claim one-time keys until there are none, while the
                                   instances are killed in turn with kill -9; then it is judged who was given what

              --keys N             how many keys there are (10000), of devices with 1000 each
              --clients N          how many clients claim (50)
              --kills N            of the two instances in turn (6)
              --data DIR           where the data is kept; removed before and afterwards
            """;

    private static final Set<String> FLAGS = Set.of("--help", "-h");
    private static final Set<String> VALUES = Set.of("--keys", "--clients", "--kills", "--data");
    private static final String CLUSTER = "auth=2";
    private static final List<String> VICTIMS = List.of("auth-service-1", "auth-service-2");
    private static final int KEYS_OF_DEVICE = 1000;
    private static final int SHOWN = 20;

    private final CommandLine options;
    private final long begunNanos = System.nanoTime();

    private ClaimsApplication(CommandLine options) {
        this.options = options;
    }

    public static void main(String[] arguments) throws IOException {
        try {
            var options = CommandLine.parse(List.of(arguments), FLAGS, VALUES);
            if (options.has("--help") || options.has("-h")) {
                System.out.print(HELP);
            } else {
                System.exit(new ClaimsApplication(options).run() ? 0 : 1);
            }
        } catch (IllegalArgumentException e) {
            System.err.println("deploy/e2e/claims: " + e.getMessage());
            System.exit(2);
        }
    }

    private boolean run() throws IOException {
        int keys = (int) options.number("--keys", 10_000);
        int clients = (int) options.number("--clients", 50);
        var victims = victims((int) options.number("--kills", 6));
        int devices = Math.max(1, (keys + KEYS_OF_DEVICE - 1) / KEYS_OF_DEVICE);
        var data = Path.of(options.text("--data", System.getProperty("rookery.data", "target/claims")))
                .toAbsolutePath();
        Folders.delete(data);
        say("starting " + CLUSTER);
        var plan = Plan.of(Path.of(System.getProperty("rookery.run", "deploy/run")), data)
                .cluster(CLUSTER);
        try (var rookery = Rookery.start(plan)) {
            say("ready");
            var wish = new Crowd.TenantSize(rookery.site(), clients + devices, 0);
            try (var crowd = Crowd.gather("claims", List.of(wish))) {
                say("%d clients and %d devices are there".formatted(clients, devices));
                var people = crowd.circles().getFirst().people();
                return judge(ClaimLoad.hold(
                        rookery,
                        people.subList(0, clients),
                        people.subList(clients, people.size()),
                        keys / devices,
                        victims,
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
