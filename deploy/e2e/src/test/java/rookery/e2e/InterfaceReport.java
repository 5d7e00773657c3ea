// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestPlan;
import rookery.e2e.api.Answer;
import rookery.e2e.api.Http;

/**
 * Writes {@code target/INTERFACE.md}: which tests saw each endpoint of the interface work, through the gateway. A run in which
 * all do becomes {@code INTERFACE.md} beside the pom. JUnit finds this listener by itself.
 */
public final class InterfaceReport implements TestExecutionListener {
    private static final String NAME = "INTERFACE.md";

    private final List<Row> rows = rows();
    private final Map<Row, TreeSet<String>> seenBy = new ConcurrentHashMap<>();

    private record Row(String method, String path, int status, Pattern pattern) {
        boolean isSeenIn(String request, int answered) {
            return answered == status && pattern.matcher(request).matches();
        }
    }

    private static List<Row> rows() {
        try (var in = Objects.requireNonNull(InterfaceReport.class.getResourceAsStream("interface.txt"))) {
            var rows = new ArrayList<Row>();
            for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n", -1)) {
                if (!line.isEmpty() && !line.startsWith("#")) {
                    rows.add(row(line.split(" ", 3)));
                }
            }
            return rows;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Row row(String[] words) {
        var parts = new ArrayList<String>();
        for (String part : words[1].split("/", -1)) {
            parts.add(part.startsWith("{") ? "[^/?]+" : Pattern.quote(part));
        }
        var pattern = Pattern.compile(words[0] + " " + String.join("/", parts) + "(\\?.*)?");
        return new Row(words[0], words[1], Integer.parseInt(words[2]), pattern);
    }

    @Override
    public void testPlanExecutionStarted(TestPlan plan) {
        Http.observe(this::observe);
    }

    private void observe(Answer answer, String prefix) {
        int space = answer.request().indexOf(' ') + 1;
        var request =
                answer.request().substring(0, space) + prefix + answer.request().substring(space);
        for (var row : rows) {
            if (row.isSeenIn(request, answer.status())) {
                note(row);
            }
        }
    }

    /** Threads of a test's own are nobody's: what they ask is asked by the test's thread as well. */
    private void note(Row row) {
        var test = StackWalker.getInstance()
                .walk(frames -> frames.map(StackWalker.StackFrame::getClassName)
                        .map(name -> name.substring(name.lastIndexOf('.') + 1).split("\\$", 2)[0])
                        .filter(name -> name.endsWith("E2E"))
                        .findFirst());
        test.ifPresent(name -> seenBy.compute(row, (_, names) -> {
            var all = names == null ? new TreeSet<String>() : names;
            all.add(name);
            return all;
        }));
    }

    @Override
    public void testPlanExecutionFinished(TestPlan plan) {
        if (seenBy.isEmpty()) {
            return;
        }
        var text = "# The endpoints of the interface, and the tests that saw them work\n\n"
                + "Written by the run of `mvn verify`: a test stands here when it called the endpoint through the gateway and was answered\n"
                + "with this status. %d of %d.\n\n| Endpoint | Status | Seen by |\n|---|---|---|\n"
                        .formatted(seenBy.size(), rows.size())
                + rows.stream().map(this::line).collect(Collectors.joining());
        try {
            Files.createDirectories(Path.of("target"));
            Files.writeString(Path.of("target", NAME), text);
            if (seenBy.size() == rows.size()) {
                Files.writeString(Path.of(NAME), text);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String line(Row row) {
        var names = seenBy.get(row);
        return "| %s `%s` | %d | %s |\n"
                .formatted(row.method, row.path, row.status, names == null ? "**nobody**" : String.join(", ", names));
    }
}
