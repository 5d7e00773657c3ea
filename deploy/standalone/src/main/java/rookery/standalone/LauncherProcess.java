package rookery.standalone;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import rookery.embedded.Spawner;

/** The launcher as a process of its own, as {@code deploy/run} starts it. */
public final class LauncherProcess implements AutoCloseable {
    private static final long PATIENCE_MINUTES = 4;

    private final Process process;
    private final BufferedReader out;
    private final List<String> printed = new ArrayList<>();

    public LauncherProcess(String... options) throws IOException {
        this(Map.of(), options);
    }

    /** Under further variables of the environment. */
    LauncherProcess(Map<String, String> environment, String... options) throws IOException {
        var command = LauncherForTests.command();
        command.addAll(List.of(options));
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        process = Spawner.startEndingWithUs(builder);
        out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /** Reads on until it has printed such a line. Returns what it printed until then, or until its end. */
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
    public List<String> printedToTheEnd() throws IOException {
        out.lines().forEach(printed::add);
        return List.copyOf(printed);
    }

    /** Of its end, which is waited for. */
    public int exitValue() throws InterruptedException {
        if (!process.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES)) {
            throw new AssertionError("the launcher does not end; it printed " + printed);
        }
        return process.exitValue();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
