// SPDX-License-Identifier: Apache-2.0
package rookery.admin.console;

import java.time.LocalDate;
import java.util.List;
import java.util.stream.IntStream;

/** Events by day as bars of an SVG of {@link #WIDTH} by {@link #HEIGHT} units. */
record EventChart(List<Day> days) {
    static final int WIDTH = 600;
    static final int HEIGHT = 120;

    /** The events of one day of UTC. */
    record Day(LocalDate date, long events) {}

    /** One bar, from its upper left corner. */
    record Bar(double x, double y, double width, double height, Day day) {}

    /** One bar for each day; a day with events has a bar of at least one unit. */
    public List<Bar> bars() {
        double step = (double) WIDTH / Math.max(1, days.size());
        double most = Math.max(1, most());
        return IntStream.range(0, days.size())
                .mapToObj(i -> {
                    var day = days.get(i);
                    double height = day.events == 0 ? 0 : Math.max(1, day.events / most * HEIGHT);
                    return new Bar(i * step + 1, HEIGHT - height, step - 2, height, day);
                })
                .toList();
    }

    /** The events of the day with the most. */
    public long most() {
        return days.stream().mapToLong(Day::events).max().orElse(0);
    }

    public long total() {
        return days.stream().mapToLong(Day::events).sum();
    }
}
