// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.running;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import rookery.e2e.api.Http;
import rookery.e2e.api.TenantAddress;
import rookery.embedded.Database;
import rookery.embedded.Deadline;
import rookery.embedded.Folders;
import rookery.embedded.Leftovers;
import rookery.embedded.Spawner;
import rookery.embedded.timing.Phase;

/** A whole Rookery as child processes, from the launcher down. Closing ends all of them. */
public final class Rookery implements Databases, AutoCloseable {
    private static final Duration START_PATIENCE = Duration.ofMinutes(4);
    private static final Duration STOP_PATIENCE = Duration.ofMinutes(1);
    private static final String DATABASE = "rookery";
    private static final String FIRST_TENANT = "localhost";

    private volatile Plan plan;
    private volatile Process launcher;

    private Rookery(Plan plan) {
        this.plan = plan;
        this.launcher = run(plan);
        Runtime.getRuntime().addShutdownHook(new Thread(this::endWithUs, "end-rookery"));
    }

    /** Stops the launcher when a signal ends this JVM before a close. */
    private void endWithUs() {
        if (launcher.isAlive()) {
            launcher.destroy();
        }
    }

    /** Starts a Rookery. Returns when it is ready. */
    public static Rookery start(Plan plan) {
        return Phase.STARTING.during(() -> {
            var rookery = new Rookery(plan);
            rookery.awaitReady();
            return rookery;
        });
    }

    public Plan plan() {
        return plan;
    }

    /** The process id of the launcher's JVM, a child of the script. */
    public long launcherPid() {
        return launcher.children().findFirst().map(ProcessHandle::pid).orElseGet(launcher::pid);
    }

    /** The first tenant. */
    public TenantAddress site() {
        return site(FIRST_TENANT);
    }

    public TenantAddress site(String tenant) {
        return TenantAddress.local(plan.port(), tenant);
    }

    /** The tenant at another gateway; the first gateway is number 1. */
    public TenantAddress site(String tenant, int gateway) {
        return TenantAddress.local(plan.port() + gateway - 1, tenant);
    }

    public Http http() {
        return Http.to(site());
    }

    /** All running instances. */
    public List<Instance> instances() {
        return Instance.all(plan.data());
    }

    /** The instance of a name; null when it does not run. */
    public @Nullable Instance instance(String name) {
        return Instance.read(folder().resolve(name));
    }

    /** Whether the instance runs, in another process than a given one unless null. */
    public boolean runs(String name, @Nullable Instance before) {
        var now = instance(name);
        return now != null && (before == null || now.pid() != before.pid()) && isAlive(now.pid());
    }

    /**
     * Kills a process with SIGKILL; the launcher restarts it.
     *
     * @return the killed instance, or null when it did not run
     */
    public @Nullable Instance kill(String name) {
        var instance = instance(name);
        if (instance == null || !isAlive(instance.pid())) {
            return null;
        }
        ProcessHandle.of(instance.pid()).ifPresent(ProcessHandle::destroyForcibly);
        return instance;
    }

    /** Kills all processes at once. Returns when all have ended. */
    public void killAll() {
        var others = Stream.concat(launcher.descendants(), Leftovers.in(plan.data()).stream())
                .toList();
        launcher.destroyForcibly(); // the script first, because the script restarts the JVM
        others.forEach(ProcessHandle::destroyForcibly);
        awaitEnd();
    }

    /** Restarts on the same data after {@link #stop} or {@link #killAll}. Returns when Rookery is ready. */
    public void startAgain() {
        if (launcher.isAlive()) {
            throw new IllegalStateException("it still runs");
        }
        launcher = run(plan);
        Phase.STARTING.during(() -> {
            awaitReady();
            return launcher;
        });
    }

    /** Restarts with another rate limit. */
    public void startAgain(int maxRequests) {
        startAgain(plan.maxRequests(maxRequests));
    }

    /** Restarts on the same data with another plan. */
    public void startAgain(Plan other) {
        plan = other;
        startAgain();
    }

    /** Stops everything as Ctrl-C does. Returns the exit value. */
    public int stop() {
        launcher.destroy();
        awaitEnd();
        return launcher.exitValue();
    }

    /** Kills only the launcher; its children must end by themselves. */
    public void killLauncher() {
        launcher.destroyForcibly();
        awaitEnd();
    }

    /** The launcher's output so far. */
    public String printed() {
        try {
            return Files.readString(output(plan));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The database access of a service, such as {@code room-service}. */
    @Override
    public Database database(String service) {
        var postgres = Objects.requireNonNull(instance("postgres-1"), "PostgreSQL does not run");
        var secrets = Secrets.of(plan.data());
        return new Database(
                "127.0.0.1", postgres.port(), DATABASE, service.replace("-service", ""), secrets.password(service));
    }

    /** The URL of Redis with its password. */
    public String redisUrl() {
        var gateway = plan.data().resolve("config").resolve("gateway-1.properties");
        return Objects.requireNonNull(Folders.propertiesOf(gateway)).getProperty("rookery.redis.url");
    }

    /** The master key from which all service keys are derived. */
    public String internalKey() {
        return Secrets.of(plan.data()).internalKey();
    }

    /** The address and the token of the operators' API. */
    public OperatorAccess operator() {
        var file = plan.data().resolve("config").resolve("admin-service-1.properties");
        var settings = Objects.requireNonNull(Folders.propertiesOf(file));
        return new OperatorAccess(
                URI.create("http://127.0.0.1:" + settings.getProperty("rookery.admin.operator.port")),
                settings.getProperty("rookery.admin.operator.token"));
    }

    /**
     * Access to the operators' API.
     *
     * @param base of all paths, which begin with {@code /operator/v1}
     */
    public record OperatorAccess(URI base, String token) {}

    /** Stops everything; fails when a process does not end. */
    @Override
    public void close() {
        if (!launcher.isAlive()) {
            return;
        }
        launcher.destroy();
        if (!isOver(STOP_PATIENCE)) {
            var left = Leftovers.in(plan.data());
            killAll();
            throw new IllegalStateException("did not end when asked: %s; it printed %s".formatted(left, printed()));
        }
    }

    private static Process run(Plan plan) {
        var builder = new ProcessBuilder(plan.words())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.to(output(plan).toFile()));
        if (!plan.instanceFlags().isEmpty()) {
            builder.environment().put("JDK_JAVA_OPTIONS", String.join(" ", plan.instanceFlags()));
        }
        try {
            Files.createDirectories(plan.data().toAbsolutePath().getParent());
            return Spawner.startEndingWithUs(builder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void awaitReady() {
        boolean ready = Deadline.in(START_PATIENCE)
                .until(
                        Duration.ofMillis(50),
                        () -> !launcher.isAlive() || printed().contains("\nready http"));
        if (!ready || !launcher.isAlive()) {
            launcher.destroyForcibly();
            throw new StartFailedException("the launcher did not start; its output:\n" + printed());
        }
    }

    private void awaitEnd() {
        if (!isOver(STOP_PATIENCE)) {
            throw new IllegalStateException(
                    "still running: %s; the launcher printed %s".formatted(Leftovers.in(plan.data()), printed()));
        }
    }

    private boolean isOver(Duration patience) {
        try {
            return launcher.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)
                    && Deadline.in(patience)
                            .until(() -> Leftovers.in(plan.data()).isEmpty());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private Path folder() {
        return plan.data().resolve("instances");
    }

    private static Path output(Plan plan) {
        return plan.data().resolveSibling(plan.data().getFileName() + ".out");
    }

    private static boolean isAlive(long pid) {
        return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent();
    }
}
