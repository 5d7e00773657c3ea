// SPDX-License-Identifier: Apache-2.0
package rookery.embedded;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A direct child process in a session of its own, so that Ctrl-C reaches only this process. The kernel sends the child a signal
 * when this process dies for any reason. Standard input stays open until then, for programs that watch for its end. Output goes
 * to a log file.
 */
public final class Child {
    /** A signal by its name in kill(1) and setpriv(1). */
    public enum Signal {
        INT,
        TERM,
        QUIT,
        KILL
    }

    /**
     * The description of a child process.
     *
     * @param name for messages
     * @param as a command prefix that changes the user; mostly empty
     * @param folder the working folder, by which {@link Leftovers} finds the process
     * @param log the log file, opened for appending
     * @param whenWeDie the signal of the kernel after the death of this process
     */
    public record Program(String name, List<String> as, List<String> command, Path folder, Path log, Signal whenWeDie) {
        public Program {
            as = List.copyOf(as);
            command = List.copyOf(command);
        }
    }

    private static final int TAIL_LINES = 3;
    private static final int FULL_BYTES = 64 * 1024;

    /** A frame of a stack trace. */
    private static final Pattern FRAME = Pattern.compile("^\\s+(?:at |\\.\\.\\. \\d+ more)");

    private static final Pattern CAUSE = Pattern.compile("^\\s*Caused by: ");

    /** Messages of the operating system or the JVM about an exhausted or refused resource. */
    private static final Pattern REFUSAL = Pattern.compile(
            "No space left on device|Disk quota exceeded|Read-only file system|Permission denied|Address already in use"
                    + "|Too many open files|Cannot allocate memory|OutOfMemoryError");

    private final Program program;
    private final Process process;
    private final long logStart;

    private Child(Program program, Process process, long logStart) {
        this.program = program;
        this.process = process;
        this.logStart = logStart;
    }

    public static Child start(Program program) {
        var command = new ArrayList<>(Tools.ownSession());
        command.addAll(program.as());
        command.addAll(Tools.dyingWithUs(program.whenWeDie())); // a change of user clears the signal
        command.addAll(program.command());
        var builder = new ProcessBuilder(command)
                .directory(program.folder().toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(program.log().toFile()));
        try {
            Folders.keepToOwner(program.log()); // PostgreSQL's log contains statements with user data
            long logStart = Files.size(program.log());
            return new Child(program, Spawner.start(builder), logStart);
        } catch (IOException e) {
            throw new ServerException("cannot start %s: %s".formatted(program.name(), e.getMessage()), e);
        }
    }

    /** The program {@code java} of this JVM. */
    public static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /** The class path of this JVM. Absolute, because children have other working folders. */
    public static String classPath() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(entry -> Path.of(entry).toAbsolutePath().toString())
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** Called in a child JVM: ends the JVM when standard input ends, because then its parent is dead. */
    public static void endWithParent() {
        Thread.ofPlatform().daemon().name("parent-watch").start(() -> {
            try {
                System.in.transferTo(OutputStream.nullOutputStream()); // the parent never writes
            } catch (IOException _) {
                // treated like the end of the input
            }
            Runtime.getRuntime().exit(0);
        });
    }

    public String name() {
        return program.name();
    }

    public long pid() {
        return process.pid();
    }

    public Path log() {
        return program.log();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Completes with the exit value when the process has ended and is reaped. */
    public CompletableFuture<Integer> ended() {
        return process.onExit().thenApply(Process::exitValue);
    }

    /** Sends the signal, and SIGKILL after the patience. Returns when the process has ended. */
    public void stop(Signal signal, Duration patience) {
        if (process.isAlive()) {
            send(signal);
            if (!awaitEnd(patience)) {
                kill();
            }
        }
    }

    /** Ends the process with SIGKILL. Returns when the process has ended. */
    public void kill() {
        process.destroyForcibly();
        if (!awaitEnd(Duration.ofSeconds(10))) {
            throw new ServerException("%s (pid %d) does not even end by SIGKILL".formatted(name(), pid()));
        }
    }

    public void send(Signal signal) {
        switch (signal) {
            case TERM -> process.destroy();
            case KILL -> process.destroyForcibly();
            case INT, QUIT -> Tools.run("sh", "-c", "kill -%s %d".formatted(signal, pid()));
        }
    }

    /** The reason of the process's end, on one line, from its output since the start. */
    public String lastWords() {
        return isFull(program.log())
                ? "no space is left on the disk of " + program.log().getParent() // the log is cut off then
                : reason(printed());
    }

    private static boolean isFull(Path log) {
        try {
            return Files.getFileStore(log).getUsableSpace() < FULL_BYTES;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The most informative line of the output: a refusal by the operating system; else the cause of the last exception; else the
     * last lines.
     */
    static String reason(String printed) {
        var lines = printed.lines()
                .filter(line -> !line.isBlank() && !FRAME.matcher(line).find())
                .toList();
        return lines.stream()
                .filter(line -> REFUSAL.matcher(line).find())
                .findFirst()
                .or(() -> lines.reversed().stream()
                        .filter(line -> CAUSE.matcher(line).find())
                        .findFirst())
                .map(line -> CAUSE.matcher(line).replaceFirst(""))
                .orElseGet(() ->
                        String.join(" | ", lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size())))
                .strip();
    }

    /** The output since the start of the process. */
    public String printed() {
        try (var log = Files.newByteChannel(program.log())) {
            log.position(logStart);
            return new String(Channels.newInputStream(log).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private boolean awaitEnd(Duration patience) {
        try {
            return process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
