// SPDX-License-Identifier: Apache-2.0
package rookery.standalone;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import rookery.embedded.Ports;
import rookery.embedded.ServerException;
import rookery.program.Complaint;

/** The program behind {@code deploy/run}. No code may log before the log file is configured. */
public final class LauncherApplication {
    /** The folder of the servers' unpacked programs, shared by all data folders of a checkout. */
    private static final String BINARIES = "rookery.binaries";

    /** The process id of {@code deploy/run}. */
    private static final String SCRIPT = "rookery.script";

    /** The time at which {@code deploy/run} finished building, in milliseconds since the epoch. */
    private static final String STARTED = "rookery.started";

    /** The default data folder. */
    private static final String DATA = "rookery.data";

    private static final long PAUSE_NANOS = 1_000_000_000L;

    /** The messages of the conversation in the run that makes the start caches. */
    private static final String REHEARSAL = "rookery.aot.rehearsal";

    private static final int REHEARSED_MESSAGES = 3_000;
    private static final Duration REHEARSAL_MAX = Duration.ofSeconds(10);

    private LauncherApplication() {}

    public static void main(String[] arguments) {
        try {
            var options = Options.parse(
                    List.of(arguments),
                    Path.of(System.getProperty(DATA, "data")).toAbsolutePath());
            if (options.help) {
                System.out.print(Options.helpText());
            } else if (options.request != null) {
                System.out.println(ControlPort.ask(options.data.resolve("config"), options.request));
            } else {
                run(options);
            }
        } catch (Complaint e) {
            end(e.getMessage(), e.exitValue());
        }
    }

    private static void run(Options options) {
        var console = new Console(System.out, age());
        var cache = StartCache.ofSystemProperties();
        if (cache.training()) {
            options.train(Ports.free());
        }
        var launch = new Launch(options, binaries(), cache, console);
        var exitValue = new AtomicInteger();
        var logs = launch.open();
        System.setProperty("rookery.log.file", logs.resolve("rookery.log").toString());
        System.setProperty("rookery.log.console", "ERROR");
        System.setProperty("org.springframework.boot.logging.LoggingSystem", "none");
        if (!cache.training()) {
            Runtime.getRuntime()
                    .addShutdownHook(
                            Thread.ofPlatform().name("stop").unstarted(() -> stop(launch, exitValue.get(), console)));
        }
        var rehearsal = cache.training() ? new Rehearsal(options.port) : null;
        try {
            launch.start();
        } catch (Complaint | ServerException e) {
            exitValue.set(Complaint.FAILURE);
            end(e.getMessage(), Complaint.FAILURE);
        } catch (UncheckedIOException e) {
            exitValue.set(Complaint.FAILURE);
            end("the operating system refused something: " + Causes.rootMessage(e), Complaint.FAILURE);
        } catch (RuntimeException e) {
            e.printStackTrace();
            exitValue.set(Complaint.FAILURE);
            end("this is a bug, please report the output above: " + e, Complaint.FAILURE);
        }
        if (rehearsal != null) {
            rehearse(rehearsal);
            launch.stop(); // both JVMs write their caches at exit
            System.exit(0);
        }
        console.text(Greeting.text(options, launch.unservedTenants(), launch.openTenants(), console.seconds()));
        waitForScript();
        System.exit(0);
    }

    private static void rehearse(Rehearsal rehearsal) {
        try {
            rehearsal.play(Integer.getInteger(REHEARSAL, REHEARSED_MESSAGES), REHEARSAL_MAX);
        } catch (IOException | RuntimeException e) {
            System.err.println("the rehearsal ended early, so the cache contains less code of requests: " + e);
        }
    }

    /** The shutdown hook: stops everything and halts the JVM, regardless of other threads. */
    private static void stop(Launch launch, int exitValue, Console console) {
        if (exitValue == 0) {
            console.step("stopping");
        }
        try {
            launch.stop();
            if (exitValue == 0) {
                console.step("stopped; everything is kept");
            }
        } finally {
            System.out.flush();
            Runtime.getRuntime().halt(exitValue);
        }
    }

    private static void end(@Nullable String line, int exitValue) {
        System.err.println("deploy/run: " + line);
        System.exit(exitValue);
    }

    /** Returns when the script deploy/run ends, most likely by a kill; never returns when no script started this JVM. */
    private static void waitForScript() {
        var script = Optional.ofNullable(Long.getLong(SCRIPT)).flatMap(ProcessHandle::of);
        do {
            script.map(ProcessHandle::onExit).orElseGet(CompletableFuture::new).join();
            LockSupport.parkNanos(PAUSE_NANOS);
        } while (!isKnownToBeGone(script.orElseThrow()));
    }

    /**
     * The JDK reads /proc/PID/stat to check for a process. Without a free file descriptor every process looks dead, including
     * this one; then the result for the script is ignored.
     */
    private static boolean isKnownToBeGone(ProcessHandle process) {
        var self = ProcessHandle.current();
        return self.isAlive() && !process.isAlive() && self.isAlive();
    }

    private static @Nullable Path binaries() {
        var folder = System.getProperty(BINARIES);
        return folder == null ? null : Path.of(folder).toAbsolutePath().normalize();
    }

    /** The time since {@code deploy/run} started the JVM. */
    private static Duration age() {
        var started = Long.getLong(STARTED);
        return started == null
                ? Duration.ZERO
                : Duration.between(
                        Instant.ofEpochMilli(started), Clock.systemUTC().instant());
    }
}
