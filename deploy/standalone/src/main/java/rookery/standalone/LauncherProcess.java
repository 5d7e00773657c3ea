// SPDX-License-Identifier: Apache-2.0
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

/** The launcher as a child process, as {@code deploy/run} starts it. */
public final class LauncherProcess implements AutoCloseable {
    private static final long PATIENCE_MINUTES = 4;

    private final Process process;
    private final BufferedReader out;
    private final List<String> printed = new ArrayList<>();

    public LauncherProcess(String... options) throws IOException {
        this(Map.of(), options);
    }

    /** Starts the launcher with further environment variables. */
    LauncherProcess(Map<String, String> environment, String... options) throws IOException {
        var command = LauncherForTests.command();
        command.addAll(List.of(options));
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        process = Spawner.startEndingWithUs(builder);
        out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /** Reads the output until a line with the prefix. Returns the output up to that line, or all of it when the process ended. */
    List<String> printedUntil(String start) throws IOException {
        for (var line = out.readLine(); line != null; line = out.readLine()) {
            printed.add(line);
            if (line.startsWith(start)) {
                break;
            }
        }
        return List.copyOf(printed);
    }

    /** Reads the output until the process ends. */
    public List<String> printedToTheEnd() throws IOException {
        out.lines().forEach(printed::add);
        return List.copyOf(printed);
    }

    /** Waits for the end. Returns the exit value. */
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
