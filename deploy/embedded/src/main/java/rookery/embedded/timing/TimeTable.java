// SPDX-License-Identifier: Apache-2.0
package rookery.embedded.timing;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * The text of {@code target/test-times.txt}: the test JVMs of the last build in the order of their starts, with their classes.
 */
final class TimeTable {
    private static final double MILLIS = 1_000;
    private static final double NANOS = 1_000_000_000;
    private static final String SEPARATOR = "\t";

    private final StringBuilder text = new StringBuilder();

    private TimeTable() {}

    /** The times of a test class; the time besides starts and waits is work. */
    record Row(String name, long nanos, long startingNanos, long waitingNanos) {
        String text() {
            return String.join(
                    SEPARATOR, name, Long.toString(nanos), Long.toString(startingNanos), Long.toString(waitingNanos));
        }

        static Row parse(String line) {
            var words = line.split(SEPARATOR, -1);
            return new Row(words[0], Long.parseLong(words[1]), Long.parseLong(words[2]), Long.parseLong(words[3]));
        }
    }

    /**
     * A test JVM.
     *
     * @param name of the module and the kind of tests
     * @param startedMillis since the epoch, like the end
     */
    record Run(String name, long startedMillis, long endedMillis, List<Row> rows) {
        Run {
            rows = List.copyOf(rows);
        }

        String text() {
            var lines = new ArrayList<String>();
            lines.add(String.join(SEPARATOR, name, Long.toString(startedMillis), Long.toString(endedMillis)));
            rows.forEach(row -> lines.add(row.text()));
            return String.join("\n", lines) + "\n";
        }

        static Run parse(String text) {
            var lines = text.lines().toList();
            var words = lines.getFirst().split(SEPARATOR, -1);
            return new Run(
                    words[0],
                    Long.parseLong(words[1]),
                    Long.parseLong(words[2]),
                    lines.stream().skip(1).map(Row::parse).toList());
        }
    }

    static String of(List<Run> runs) {
        var table = new TimeTable();
        table.line(
                "Seconds of each test class: all of it, starting servers and services, waiting for conditions, the rest.");
        table.line("Classes of a module run beside each other, so they add up to more than their JVM took.");
        var inOrder = runs.stream()
                .sorted(Comparator.comparingLong(Run::startedMillis))
                .toList();
        for (var run : inOrder) {
            table.line("");
            table.line(seconds((run.endedMillis - run.startedMillis) / MILLIS)
                    + "  " + run.name + ", begun"
                    + seconds((run.startedMillis - inOrder.getFirst().startedMillis) / MILLIS)
                    + " after the first");
            table.line("         all starting  waiting     rest");
            run.rows.stream()
                    .sorted(Comparator.comparingLong(Row::nanos).reversed())
                    .forEach(table::row);
        }
        return table.text.toString();
    }

    private void row(Row row) {
        long restNanos = row.nanos - row.startingNanos - row.waitingNanos;
        line("   "
                + seconds(row.nanos / NANOS)
                + seconds(row.startingNanos / NANOS)
                + seconds(row.waitingNanos / NANOS)
                + seconds(restNanos / NANOS)
                + "  "
                + row.name);
    }

    private void line(String line) {
        text.append(line).append('\n');
    }

    private static String seconds(double value) {
        return String.format(Locale.ROOT, "%9.1f", value);
    }
}
