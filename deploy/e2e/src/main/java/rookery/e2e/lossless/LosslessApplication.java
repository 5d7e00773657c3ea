package rookery.e2e.lossless;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import rookery.e2e.load.Crowd;
import rookery.e2e.load.FinishedTalk;
import rookery.e2e.load.Talk;
import rookery.e2e.running.Plan;
import rookery.e2e.running.Rookery;
import rookery.embedded.Folders;
import rookery.program.Program;

/** The program behind {@code deploy/e2e/lossless}: exits with 0 when no event is missing, doubled or reordered. */
public final class LosslessApplication {
    private static final Path SCRIPT = Path.of(System.getProperty("rookery.run", "deploy/run"));
    private static final String SECOND_TENANT = "other.example";
    private static final String ELSEWHERE = "talk";
    private static final int SHOWN = 20;
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private static final List<Integer> PEOPLE = List.of(12, 8);
    private static final List<Integer> ROOMS = List.of(3, 2);

    private final Options options;
    private final long begunNanos = System.nanoTime();

    private LosslessApplication(Options options) {
        this.options = options;
    }

    public static void main(String[] arguments) throws IOException {
        Program.run(
                "deploy/e2e/lossless",
                Options.HELP,
                new Options(),
                arguments,
                options -> new LosslessApplication(options).run());
    }

    private boolean run() throws IOException {
        if (options.remote != null) {
            return talkTo(options.remote);
        }
        boolean fine = true;
        for (var scenario : options.scenarios()) {
            fine &= play(scenario);
        }
        return fine;
    }

    private boolean play(Scenario scenario) throws IOException {
        Consumer<String> progress = line -> say(scenario.title(), line);
        var data = options.data.resolve(scenario.title());
        Folders.delete(data);
        progress.accept("starting");
        var plan = scenario.plan(Plan.of(SCRIPT, data).tenants(SECOND_TENANT));
        try (var rookery = Rookery.start(plan)) {
            progress.accept("ready on port " + plan.port());
            var sizes = List.of(
                    new Crowd.TenantSize(rookery.site(), PEOPLE.getFirst(), ROOMS.getFirst()),
                    new Crowd.TenantSize(rookery.site(SECOND_TENANT), PEOPLE.getLast(), ROOMS.getLast()));
            try (var crowd = Crowd.gather("crowd", sizes)) {
                progress.accept("the crowd has gathered");
                var amount =
                        Talk.Amount.steady(options.perSecond, options.length).patience(PATIENCE);
                var talked = Talk.hold(rookery, crowd, amount, scenario.disturbance(rookery, options, progress));
                return judge(scenario.title(), scenario.patience(), talked);
            }
        } finally {
            Folders.delete(data);
        }
    }

    private boolean talkTo(RemoteRookery remote) throws IOException {
        int people = PEOPLE.stream().mapToInt(number -> number).sum();
        int rooms = ROOMS.stream().mapToInt(number -> number).sum();
        var name = "crowd" + options.seed; // earlier runs may have used other names
        try (var crowd = Crowd.gather(name, List.of(new Crowd.TenantSize(remote.site(), people, rooms)))) {
            say(ELSEWHERE, "the crowd has gathered");
            // with a stop file the talk has no planned number of messages
            var length = remote.stopFile == null ? options.length : Duration.ZERO;
            var amount = Talk.Amount.steady(options.perSecond, length).patience(PATIENCE);
            return judge(ELSEWHERE, null, Talk.hold(remote, crowd, amount, () -> remote.awaitEnd(options.length)));
        }
    }

    private boolean judge(String scenario, @Nullable Duration patience, FinishedTalk talked) {
        var violations = talked.violations(patience);
        talked.troubles().stream().limit(SHOWN).forEach(trouble -> say(scenario, "trouble: " + trouble));
        violations.stream().limit(SHOWN).forEach(violation -> say(scenario, "violation: " + violation));
        say(
                scenario,
                "said %d messages in %.1f s (%.1f a second), %d deliveries, %d attempts failed and were repeated"
                        .formatted(
                                talked.messages(),
                                talked.spoken().toMillis() / 1000.0,
                                talked.messages() * 1000.0 / talked.spoken().toMillis(),
                                talked.deliveries(),
                                talked.failedAttempts()));
        boolean fine = violations.isEmpty() && talked.troubles().isEmpty() && talked.allReceived();
        say(
                scenario,
                "%s: %d violations, %d troubles%s"
                        .formatted(
                                fine ? "LOSSLESS" : "NOT LOSSLESS",
                                violations.size(),
                                talked.troubles().size(),
                                talked.allReceived() ? "" : ", not everybody heard the last words"));
        return fine;
    }

    private void say(String scenario, String line) {
        System.out.printf(Locale.ROOT, "%7.1f s %-8s %s%n", (System.nanoTime() - begunNanos) / 1e9, scenario, line);
    }
}
