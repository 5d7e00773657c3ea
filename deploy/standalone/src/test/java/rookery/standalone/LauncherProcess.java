package rookery.standalone;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The launcher as a process of its own, as {@code deploy/run} starts it. */
final class LauncherProcess implements AutoCloseable {
    private static final long PATIENCE_MINUTES = 4;

    private final Process process;
    private final BufferedReader out;
    private final List<String> printed = new ArrayList<>();

    LauncherProcess(String... options) throws IOException {
        var command = LauncherForTests.command();
        command.addAll(List.of(options));
        process = new ProcessBuilder(command).redirectErrorStream(true).start();
        out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /** Reads on until a line starts like this. Returns what was printed so far when the process ends before. */
    List<String> printedUntil(String start) throws IOException {
        for (var line = out.readLine(); line != null; line = out.readLine()) {
            printed.add(line);
            if (line.startsWith(start)) {
                break;
            }
        }
        return List.copyOf(printed);
    }

    /** All it prints until its end. */
    List<String> printedToTheEnd() throws IOException {
        out.lines().forEach(printed::add);
        return List.copyOf(printed);
    }

    int exitValue() throws InterruptedException {
        if (!process.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES)) {
            throw new AssertionError("the launcher does not end; it printed " + printed);
        }
        return process.exitValue();
    }

    /** As Ctrl-C or a stopping machine does. */
    void askToStop() {
        process.toHandle().destroy(); // Process.destroy would close the streams that are read to the end
    }

    void kill() throws InterruptedException {
        process.destroyForcibly();
        exitValue();
    }

    /** Processes that still work for a data folder. */
    static List<Long> left(Path data) throws IOException {
        var found = new ArrayList<Long>();
        try (var processes = Files.newDirectoryStream(Path.of("/proc"), "[1-9]*")) {
            for (var candidate : processes) {
                if (worksIn(candidate, data)) {
                    found.add(Long.valueOf(candidate.getFileName().toString()));
                }
            }
        }
        return found;
    }

    private static boolean worksIn(Path candidate, Path data) {
        try {
            return Files.readSymbolicLink(candidate.resolve("cwd")).startsWith(data.toAbsolutePath());
        } catch (IOException _) {
            return false; // gone, or a zombie
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
