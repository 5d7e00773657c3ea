package rookery.e2e.attack;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import rookery.e2e.load.Crowd;
import rookery.e2e.running.Instance;
import rookery.e2e.running.Plan;
import rookery.e2e.running.Rookery;
import rookery.embedded.Folders;
import rookery.program.Program;

/**
 * The program behind {@code deploy/e2e/attack}: exits with 0 when no process ended, no other user had to wait, and the memory is
 * free again.
 */
public final class AttackApplication {
    private static final long MEDIAN_MS_MAX = 1_000;
    private static final long SLACK_BYTES = 24_000_000;
    private static final Duration REST = Duration.ofSeconds(15);

    private final Options options;
    private final long begunNanos = System.nanoTime();

    private AttackApplication(Options options) {
        this.options = options;
    }

    public static void main(String[] arguments) throws IOException {
        Program.run(
                "deploy/e2e/attack",
                Options.HELP,
                new Options(),
                arguments,
                options -> new AttackApplication(options).run());
    }

    /** One kind of attack. */
    private interface Attack {
        String run() throws IOException;
    }

    private boolean run() throws IOException {
        var data = options.data.toAbsolutePath();
        Folders.delete(data);
        var plan = Plan.of(Path.of(System.getProperty("rookery.run", "deploy/run")), data);
        try (var rookery = Rookery.start(options.cluster == null ? plan : plan.cluster(options.cluster))) {
            say("ready: " + (options.cluster == null ? "one JVM" : options.cluster));
            var attackers = new Crowd.TenantSize(rookery.site(), options.users, 1);
            try (var crowd = Crowd.gather("attacker", List.of(attackers));
                    var others = Crowd.gather("bystander", List.of(new Crowd.TenantSize(rookery.site(), 1, 1)))) {
                var target = Target.prepare(crowd.circles().getFirst());
                say("the room and the users are there");
                var other = others.circles().getFirst();
                try (var attacks = new Attacks(target, options.seconds);
                        var bystander = new Bystander(
                                other.people().getFirst(), other.rooms().getFirst())) {
                    return run(rookery, attacks, bystander);
                }
            }
        } finally {
            Folders.delete(data);
        }
    }

    private boolean run(Rookery rookery, Attacks attacks, Bystander bystander) throws IOException {
        var kinds = new LinkedHashMap<String, Attack>();
        kinds.put("reads", () -> attacks.reads(options.reads));
        kinds.put("searches", () -> attacks.searches(options.searches));
        kinds.put("slow-reads", () -> attacks.slowReads(options.reads));
        kinds.put("downloads", () -> attacks.unreadDownloads(options.downloads));
        kinds.put("pictures", () -> attacks.pictures(options.pictures));
        var chosen = options.attack;
        if (chosen != null) {
            kinds.keySet().retainAll(List.of(chosen));
        }
        say("warm-up: " + attacks.reads(2)); // loads and compiles the code before the memory is measured
        rest();
        say("undisturbed: " + bystander.experience());
        boolean isFine = true;
        for (Map.Entry<String, Attack> kind : kinds.entrySet()) {
            isFine &= survives(kind.getKey(), kind.getValue(), rookery, bystander);
        }
        say(isFine ? "HELD" : "NOT HELD");
        return isFine;
    }

    private boolean survives(String name, Attack attack, Rookery rookery, Bystander bystander) throws IOException {
        var before = Memory.of(rookery);
        var pids = pids(rookery);
        bystander.experience();
        say(name + ": " + attack.run());
        var experience = bystander.experience();
        say("  others: " + experience);
        rest();
        var after = Memory.of(rookery);
        say("  before: " + before);
        say("  after:  " + after);
        boolean isAlive = pids(rookery).equals(pids);
        boolean isQuick = experience.messages() > 0
                && Math.max(experience.sendMedianMs(), experience.syncMedianMs()) < MEDIAN_MS_MAX;
        boolean isFree = after.isLike(before, SLACK_BYTES);
        say("  %s, %s, %s"
                .formatted(
                        isAlive ? "every process runs" : "A PROCESS HAS ENDED",
                        isQuick ? "nobody waited" : "OTHERS WAITED",
                        isFree ? "the memory is free again" : "MEMORY IS MISSING"));
        return isAlive && isQuick && isFree;
    }

    private static List<Long> pids(Rookery rookery) {
        return rookery.instances().stream().map(Instance::pid).sorted().toList();
    }

    /** Waits until connections of slow readers are closed and caches settle. */
    private static void rest() {
        LockSupport.parkNanos(REST.toNanos());
    }

    private void say(String line) {
        System.out.printf(Locale.ROOT, "%7.1f s %s%n", (System.nanoTime() - begunNanos) / 1e9, line);
    }
}
