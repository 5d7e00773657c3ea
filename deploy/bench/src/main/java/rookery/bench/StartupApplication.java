// SPDX-License-Identifier: Apache-2.0
package rookery.bench;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import rookery.e2e.running.Plan;
import rookery.e2e.running.Rookery;
import rookery.embedded.Folders;
import rookery.embedded.Leftovers;

/**
 * The program behind {@code deploy/bench/startup}: measures the time from the command to ready, and the memory and CPU of an
 * idle run.
 */
public final class StartupApplication {
    private static final String SCRIPT = "rookery.run";
    private static final String DATA = "rookery.data";
    private static final Duration SETTLING = Duration.ofSeconds(20);
    private static final Duration IDLE = Duration.ofSeconds(10);
    private static final int WARM_STARTS = 3;

    private StartupApplication() {}

    public static void main(String[] arguments) {
        if (arguments.length > 0) {
            System.err.println(
                    "deploy/bench/startup measures the start of deploy/run, cold and warm; it has no options");
            System.exit(2);
        }
        var data = Path.of(System.getProperty(DATA, "target/startup")).toAbsolutePath();
        var plan = Plan.of(Path.of(System.getProperty(SCRIPT, "deploy/run")), data);
        Folders.delete(data);
        try {
            measure(plan);
        } finally {
            Folders.delete(data);
        }
        System.exit(0);
    }

    private static void measure(Plan plan) {
        say("building, which is not measured");
        start(plan).close();
        Folders.delete(plan.data());
        start("cold", plan).close();
        for (int i = 1; i < WARM_STARTS; i++) {
            start("warm", plan).close();
        }
        try (var rookery = start("warm", plan)) {
            LockSupport.parkNanos(SETTLING.toNanos());
            reportIdle(rookery);
        }
    }

    private static Rookery start(String how, Plan plan) {
        var costs = Costs.begin(null);
        long begunNanos = System.nanoTime();
        var rookery = start(plan);
        double seconds = (System.nanoTime() - begunNanos) / 1e9;
        var used = costs.used();
        double ours = ProcFiles.cpuSeconds(rookery.launcherPid()); // with all descendants
        say("%s start to ready: %5.1f s (%.1f CPU s); noise: others used %.2f processors, load average %s"
                .formatted(how, seconds, ours, Math.max(0, used.others() - ours) / seconds, used.loadAfter()));
        return rookery;
    }

    private static Rookery start(Plan plan) {
        return Rookery.start(plan);
    }

    private static void reportIdle(Rookery rookery) {
        var costs = Costs.begin(rookery.plan().data());
        LockSupport.parkNanos(IDLE.toNanos());
        var used = costs.used();
        var all = new ProcFiles.Memory(0, 0);
        var pids = processes(rookery);
        for (long pid : pids) {
            all = all.plus(ProcFiles.memory(pid));
        }
        say("idle, %d processes: %.0f MB (PSS), %.0f MB (RSS, shared pages counted for each)"
                .formatted(pids.size(), all.pss(), all.rss()));
        for (var instance : instancesByProcess(rookery)) {
            say("  %s".formatted(instance));
        }
        say("idle CPU: %.1f %% of a processor; noise: others used %.2f processors"
                .formatted(used.servers() * 1e11 / used.time().toNanos(), used.noise()));
    }

    private static List<String> instancesByProcess(Rookery rookery) {
        var lines = new ArrayList<String>();
        var listed = new ArrayList<Long>();
        for (var instance : rookery.instances()) {
            if (!listed.contains(instance.pid())) {
                listed.add(instance.pid());
                var memory = ProcFiles.memory(instance.pid());
                lines.add(String.format(
                        Locale.ROOT, "%-22s %6.0f MB (PSS of its first process)", instance.name(), memory.pss()));
            }
        }
        return lines;
    }

    static List<Long> processes(Rookery rookery) {
        var pids = new ArrayList<Long>();
        pids.add(rookery.launcherPid());
        Leftovers.in(rookery.plan().data()).forEach(process -> pids.add(process.pid()));
        return pids.stream().distinct().toList();
    }

    private static void say(String line) {
        System.out.println(line);
    }
}
