package rookery.standalone;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import rookery.embedded.Spawner;

/** The launcher as a process of its own, as {@code deploy/run} starts it. */
public final class LauncherProcess implements AutoCloseable {
    private static final long PATIENCE_MINUTES = 4;

    private final Process process;
    private final BufferedReader out;
    private final List<String> printed = new ArrayList<>();

    public LauncherProcess(String... options) throws IOException {
        var command = LauncherForTests.command();
        command.addAll(List.of(options));
        process = Spawner.startEndingWithUs(new ProcessBuilder(command).redirectErrorStream(true));
        out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
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
