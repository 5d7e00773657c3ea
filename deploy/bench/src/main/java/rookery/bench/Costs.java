// SPDX-License-Identifier: Apache-2.0
package rookery.bench;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import rookery.e2e.running.Instance;

/** The CPU time of all processes between two moments. */
final class Costs {
    private final Map<Long, String> servers;
    private final Map<Long, Double> before = new LinkedHashMap<>();
    private final double ownBefore = ownSeconds();
    private final ProcFiles.MachineTime machineBefore = ProcFiles.machineTime();
    private final String loadBefore = ProcFiles.loadAverage();
    private final long begunNanos = System.nanoTime();

    private Costs(Map<Long, String> servers) {
        this.servers = servers;
        servers.keySet().forEach(pid -> before.put(pid, ProcFiles.cpuSeconds(pid)));
    }

    /**
     * Starts the measurement.
     *
     * @param data the data folder of the measured Rookery; null for a Rookery on another machine
     */
    static Costs begin(@Nullable Path data) {
        var servers = new LinkedHashMap<Long, String>();
        if (data != null) {
            var byName = new TreeMap<String, Instance>();
            Instance.all(data).forEach(instance -> byName.put(instance.name(), instance));
            byName.forEach(
                    (name, instance) -> servers.merge(instance.pid(), name, (all, one) -> "services in one JVM"));
        }
        return new Costs(servers);
    }

    /**
     * The CPU time since the start of the measurement.
     *
     * @param byServer CPU seconds of each server
     * @param own CPU seconds of the load generator
     * @param others CPU seconds of all other processes of the machine
     */
    record ResourceUsage(
            Duration time,
            Map<String, Double> byServer,
            double own,
            double others,
            double stolen,
            String loadBefore,
            String loadAfter) {
        double servers() {
            return byServer.values().stream().mapToDouble(seconds -> seconds).sum();
        }

        /** Prints the CPU time of each request by server, and the noise of the measurement. */
        void print(int requests, String each) {
            byServer.forEach((server, seconds) -> System.out.println(
                    "    %-20s %8.3f ms CPU for %s".formatted(server, seconds * 1000 / requests, each)));
            System.out.println("    %-20s %8.3f ms; noise %.2f processors, load average %s"
                    .formatted("this load generator", own * 1000 / requests, noise(), loadAfter));
        }

        /** Prints the CPU time of each message by server, and the noise of the measurement. */
        void printMessages(int sent) {
            System.out.println("CPU per message, over %.1f s:".formatted(time.toMillis() / 1000.0));
            byServer.forEach((name, seconds) -> printShare(name, seconds, sent));
            printShare("all of Rookery", servers(), sent);
            printShare("this load generator", own, sent);
            System.out.println(
                    "\nnoise: others on this machine used %.2f of %d processors meanwhile (stolen: %.2f s); load average %s, then %s"
                            .formatted(
                                    noise(),
                                    Runtime.getRuntime().availableProcessors(),
                                    stolen,
                                    loadBefore,
                                    loadAfter));
        }

        private void printShare(String name, double seconds, int sent) {
            System.out.println("  %-22s %7.2f ms   %5.1f %% of a processor"
                    .formatted(name, seconds * 1000 / sent, seconds * 1e11 / time.toNanos()));
        }

        /** The numbers for a file, with the CPU time of each request. */
        Map<String, Object> numbers(int requests) {
            var numbers = new LinkedHashMap<String, Object>();
            numbers.put("seconds", time.toMillis() / 1000.0);
            numbers.put("cpu_ms_each", servers() * 1000 / Math.max(1, requests));
            numbers.put("cpu_seconds", byServer);
            numbers.put("own_cpu_seconds", own);
            numbers.put("noise_processors", noise());
            return numbers;
        }

        /** The processors used by other work during the measurement. */
        double noise() {
            return (others + stolen) * 1e9 / time.toNanos();
        }
    }

    ResourceUsage used() {
        var time = Duration.ofNanos(System.nanoTime() - begunNanos);
        var byServer = new LinkedHashMap<String, Double>();
        before.forEach((pid, seconds) ->
                byServer.merge(String.valueOf(servers.get(pid)), ProcFiles.cpuSeconds(pid) - seconds, Double::sum));
        double own = ownSeconds() - ownBefore;
        var machine = ProcFiles.machineTime().minus(machineBefore);
        double accounted =
                own + byServer.values().stream().mapToDouble(seconds -> seconds).sum();
        return new ResourceUsage(
                time,
                byServer,
                own,
                Math.max(0, machine.busy() - accounted),
                machine.stolen(),
                loadBefore,
                ProcFiles.loadAverage());
    }

    private static double ownSeconds() {
        return ProcFiles.cpuSeconds(ProcessHandle.current().pid());
    }
}
