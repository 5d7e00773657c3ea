// SPDX-License-Identifier: Apache-2.0
package rookery.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import rookery.e2e.api.Http;
import rookery.e2e.api.Session;
import rookery.e2e.api.TenantAddress;
import rookery.e2e.running.Plan;
import rookery.e2e.running.Rookery;
import rookery.embedded.Folders;
import rookery.program.Complaint;
import rookery.program.Program;

/**
 * The program behind {@code deploy/bench/tenants}. One tenant and many are measured in turns, each in a process just started: a JVM
 * that has run longer has compiled more.
 */
public final class TenantsApplication {
    /** Never a folder of the user's choice, because the folder is deleted. */
    private static final Path DATA =
            Path.of(System.getProperty("rookery.data", "target/tenants")).toAbsolutePath();

    private static final Duration SETTLING = Duration.ofSeconds(10);
    /** The server refuses registrations while too many passwords wait for their hashing. */
    private static final int AT_ONCE = 3;

    private final TenantsOptions options;
    private final Plan single = plan("single");
    private final Plan hosting = plan("hosting");

    private TenantsApplication(TenantsOptions options) {
        this.options = options;
    }

    private static Plan plan(String folder) {
        return Plan.of(Path.of(System.getProperty("rookery.run", "deploy/run")), DATA.resolve(folder));
    }

    /** Seconds from the command to ready, MB of all processes, and CPU ms of a message. */
    private record Run(double startSeconds, double megabytes, double messageMillis) {}

    public static void main(String[] arguments) throws IOException {
        Program.run("deploy/bench/tenants", TenantsOptions.HELP, new TenantsOptions(), arguments, options -> {
            if (options.rounds == 0) {
                throw Complaint.usage("--rounds needs at least 1");
            }
            Folders.delete(DATA);
            try {
                new TenantsApplication(options).measure();
            } finally {
                Folders.delete(DATA);
            }
            return true;
        });
    }

    private void measure() throws IOException {
        System.out.println("building and making the data folders, which is not measured");
        Rookery.start(single).close();
        try (var rookery = Rookery.start(hosting)) {
            make(rookery);
        }
        var starts = new Ratios();
        var messages = new Ratios();
        for (int round = 0; round < options.rounds; round++) {
            var one = run("one tenant", single);
            var many = run("%d tenants of %d users".formatted(options.tenants, options.users), hosting);
            System.out.println("many beside one: start %.2f, message %.2f, %.0f MB more"
                    .formatted(
                            starts.add(many.startSeconds, one.startSeconds),
                            messages.add(many.messageMillis, one.messageMillis),
                            many.megabytes - one.megabytes));
        }
        System.out.println("ratios: start %s, message %s".formatted(starts, messages));
    }

    private Run run(String title, Plan plan) throws IOException {
        long begunNanos = System.nanoTime();
        try (var rookery = Rookery.start(plan)) {
            double startSeconds = (System.nanoTime() - begunNanos) / 1e9;
            LockSupport.parkNanos(SETTLING.toNanos());
            double megabytes = StartupApplication.processes(rookery).stream()
                    .mapToDouble(pid -> ProcFiles.memory(pid).pss())
                    .sum();
            try (var members = Members.gather(rookery.site(), options.rooms, options.members, new SecureRandom())) {
                members.send(options.warmUpRate(), options.warmUp);
                var costs = Costs.begin(plan.data());
                var phase = members.send(options.rate, options.length);
                var used = costs.used();
                var run = new Run(startSeconds, megabytes, used.servers() * 1000 / phase.sent.get());
                System.out.println(
                        "%s: start %.1f s, %.0f MB (PSS), %.2f ms CPU a message, p99 %.1f ms; noise %.2f processors"
                                .formatted(
                                        title,
                                        run.startSeconds,
                                        run.megabytes,
                                        run.messageMillis,
                                        phase.delivered.summary().p99(),
                                        used.noise()));
                return run;
            }
        }
    }

    /** Makes the other tenants and their users, each by its request. */
    private void make(Rookery rookery) throws IOException {
        var access = rookery.operator();
        long begunNanos = System.nanoTime();
        try (var operator = Http.to(TenantAddress.at(access.base(), "/operator/v1"))) {
            Parallel.run(
                    AT_ONCE,
                    1,
                    options.tenants,
                    number -> operator.call("POST", "/tenants", access.token(), Map.of("server_name", name(number)))
                            .ok());
        }
        System.out.println("%d tenants made in %.1f s".formatted(options.tenants - 1, seconds(begunNanos)));
        begunNanos = System.nanoTime();
        Parallel.run(AT_ONCE, 1, options.tenants, number -> {
            try (var http = Http.to(rookery.site(name(number)))) {
                for (int user = 1; user <= options.users; user++) {
                    Session.register(http, "user" + user);
                }
            }
        });
        System.out.println(
                "%d users registered in %.1f s".formatted((options.tenants - 1) * options.users, seconds(begunNanos)));
    }

    private static String name(int number) {
        return "t" + number + ".example";
    }

    private static double seconds(long begunNanos) {
        return (System.nanoTime() - begunNanos) / 1e9;
    }
}
