// SPDX-License-Identifier: Apache-2.0
package rookery.embedded.timing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import rookery.embedded.Folders;

/**
 * Measures the test classes of a JVM and writes them into the table of the build, {@code target/test-times.txt} in the outermost
 * folder with a pom. JUnit finds this listener as a service. Classes run concurrently, so the sum of their seconds exceeds the
 * time of the JVM.
 */
public final class TestTimes implements TestExecutionListener {
    private static final String FOLDER = "test-times";

    private final Map<String, Long> begunNanos = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<TimeTable.Row> rows = new ConcurrentLinkedQueue<>();
    private final Clock clock = Clock.systemUTC();

    @Override
    public void executionStarted(TestIdentifier test) {
        if (className(test) != null) {
            Phase.STARTING.takeNanos(); // left by another class in this thread
            Phase.WAITING.takeNanos();
            begunNanos.put(test.getUniqueId(), System.nanoTime());
        }
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        var name = className(test);
        var begun = begunNanos.remove(test.getUniqueId());
        if (name != null && begun != null) {
            rows.add(new TimeTable.Row(
                    name, System.nanoTime() - begun, Phase.STARTING.takeNanos(), Phase.WAITING.takeNanos()));
        }
    }

    @Override
    public void testPlanExecutionFinished(TestPlan plan) {
        if (rows.isEmpty()) {
            return;
        }
        var module = Path.of("").toAbsolutePath();
        var root = Folders.outermostWithPom(module);
        var folder = Folders.make(root.resolve("target").resolve(FOLDER));
        var name = "%s, %s".formatted(root.relativize(module), kind());
        long startedMillis = ManagementFactory.getRuntimeMXBean().getStartTime();
        var run = new TimeTable.Run(name, startedMillis, clock.millis(), List.copyOf(rows));
        Folders.write(folder.resolve(name.replaceAll("[^a-z]+", "-") + ".tsv"), run.text());
        Folders.write(root.resolve("target").resolve(FOLDER + ".txt"), TimeTable.of(runs(folder)));
    }

    private String kind() {
        return rows.stream().anyMatch(row -> row.name().endsWith("Test")) ? "unit tests" : "integration tests";
    }

    private static @Nullable String className(TestIdentifier test) {
        return test.getSource().orElse(null) instanceof ClassSource source ? source.getClassName() : null;
    }

    /** The results of this build, and the last results of modules outside of it. */
    private static List<TimeTable.Run> runs(Path folder) {
        try (var files = Files.newDirectoryStream(folder, "[a-z]*.tsv")) {
            var runs = new ArrayList<TimeTable.Run>();
            for (var file : files) {
                runs.add(TimeTable.Run.parse(Files.readString(file)));
            }
            return runs;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
