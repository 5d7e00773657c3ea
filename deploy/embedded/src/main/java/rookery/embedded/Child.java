package rookery.embedded;

import java.io.IOException;
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

/**
 * A program that runs as our direct child, in a session of its own (a Ctrl-C in our terminal is ours to handle) and not longer
 * than we do: the kernel sends it a signal when we die, however we die. Its standard input stays open as long as we live, for
 * programs that prefer to notice by themselves. What it prints goes to its log file.
 */
public final class Child {
    /** A signal by the name that kill(1) and setpriv(1) know. */
    public enum Signal {
        INT,
        TERM,
        QUIT,
        KILL
    }

    /**
     * What to run.
     *
     * @param name for messages
     * @param as words that change the user, before the command; mostly none
     * @param folder its working folder, by which {@link Leftovers} knows it again
     * @param log is appended to
     * @param whenWeDie what the kernel sends it then
     */
    public record Program(String name, List<String> as, List<String> command, Path folder, Path log, Signal whenWeDie) {
        public Program {
            as = List.copyOf(as);
            command = List.copyOf(command);
        }
    }

    private static final int TAIL_LINES = 3;
    private static final int FULL_BYTES = 64 * 1024;

    /** Of a stack trace. */
    private static final Pattern FRAME = Pattern.compile("^\\s+(?:at |\\.\\.\\. \\d+ more)");

    private static final Pattern CAUSE = Pattern.compile("^\\s*Caused by: ");

    /** What the operating system, or the JVM, says when it does not give what was asked for. */
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
        command.addAll(Tools.dyingWithUs(program.whenWeDie())); // a change of user would forget it
        command.addAll(program.command());
        var builder = new ProcessBuilder(command)
                .directory(program.folder().toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(program.log().toFile()));
        try {
            Folders.keepToOwner(program.log()); // PostgreSQL's has statements with what people wrote
            long logStart = Files.size(program.log());
            return new Child(program, Spawner.start(builder), logStart);
        } catch (IOException e) {
            throw new ServerException("cannot start %s: %s".formatted(program.name(), e.getMessage()), e);
        }
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

    /** Completes when the process has ended and is reaped, with its exit value. */
    public CompletableFuture<Integer> ended() {
        return process.onExit().thenApply(Process::exitValue);
    }

    /** Asks it to end, and makes it end when it has not within the time. Returns when it is gone. */
    public void stop(Signal signal, Duration patience) {
        if (process.isAlive()) {
            send(signal);
            if (!awaitEnd(patience)) {
                kill();
            }
        }
    }

    /** Ends it at once, as a fault would. Returns when it is gone. */
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

    /** Why it ended, as far as what it printed since it was started says so, on one line. */
    public String lastWords() {
        return isFull(program.log())
                ? "no space is left on the disk of " + program.log().getParent() // the log breaks off then
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
     * Of what a program printed, the line that says the most: what the operating system refused, first; else what the last exception
     * came from; else the last lines.
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

    /** All that it printed since it was started. */
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
