// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.attack;

import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import rookery.e2e.load.Crowd;
import rookery.e2e.running.Instance;
import rookery.e2e.running.Rookery;
import rookery.e2e.trial.Trial;

/**
 * The program behind {@code deploy/e2e/attack}: exits with 0 when no process ended, no other user had to wait, and the memory is
 * free again.
 */
public final class AttackApplication {
    private static final long MEDIAN_MS_MAX = 1_000;
    private static final long SLACK_BYTES = 24_000_000;
    private static final Duration REST = Duration.ofSeconds(15);

    private final Options options;
    private final Trial trial;

    private AttackApplication(Options options, Trial trial) {
        this.options = options;
        this.trial = trial;
    }

    public static void main(String[] arguments) throws IOException {
        Trial.main(
                "attack",
                Options.HELP,
                new Options(),
                arguments,
                (options, trial) -> new AttackApplication(options, trial).run());
    }

    /** One kind of attack. */
    private interface Attack {
        String run() throws IOException;
    }

    private boolean run() throws IOException {
        return trial.on(options.cluster == null ? trial.plan() : trial.plan().cluster(options.cluster), this::attack);
    }

    private boolean attack(Rookery rookery) throws IOException {
        var attackers = new Crowd.TenantSize(rookery.site(), options.users, 1);
        try (var crowd = Crowd.gather("attacker", List.of(attackers));
                var others = Crowd.gather("bystander", List.of(new Crowd.TenantSize(rookery.site(), 1, 1)))) {
            var target = Target.prepare(crowd.circles().getFirst());
            trial.say("the room and the users are prepared");
            var other = others.circles().getFirst();
            try (var attacks = new Attacks(target, options.seconds);
                    var bystander = new Bystander(
                            other.people().getFirst(), other.rooms().getFirst())) {
                return run(rookery, attacks, bystander);
            }
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
        trial.say("warm-up: " + attacks.reads(2)); // loads and compiles the code before the memory is measured
        rest();
        trial.say("undisturbed: " + bystander.experience());
        boolean isFine = true;
        for (Map.Entry<String, Attack> kind : kinds.entrySet()) {
            isFine &= survives(kind.getKey(), kind.getValue(), rookery, bystander);
        }
        trial.say(isFine ? "HELD" : "NOT HELD");
        return isFine;
    }

    private boolean survives(String name, Attack attack, Rookery rookery, Bystander bystander) throws IOException {
        var before = Memory.of(rookery);
        var pids = pids(rookery);
        bystander.experience();
        trial.say(name + ": " + attack.run());
        var experience = bystander.experience();
        trial.say("  others: " + experience);
        rest();
        var after = Memory.of(rookery);
        trial.say("  before: " + before);
        trial.say("  after:  " + after);
        boolean isAlive = pids(rookery).equals(pids);
        boolean isQuick = experience.messages() > 0
                && Math.max(experience.sendMedianMs(), experience.syncMedianMs()) < MEDIAN_MS_MAX;
        boolean isFree = after.isLike(before, SLACK_BYTES);
        trial.say("  %s, %s, %s"
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
}
