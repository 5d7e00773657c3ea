// SPDX-License-Identifier: Apache-2.0
package rookery.standalone;

import java.io.PrintStream;
import java.time.Clock;
import java.time.Duration;
import java.util.Locale;

/** The launcher's output: one line for each step, with the seconds since the start. */
final class Console {
    private final PrintStream out;
    private final long startNanos;
    private final Timeline timeline;

    Console(PrintStream out, Duration alreadyPassed) {
        this.out = out;
        this.startNanos = System.nanoTime() - alreadyPassed.toNanos();
        this.timeline = new Timeline(Clock.systemUTC().instant().minus(alreadyPassed));
    }

    /** The parts of the start, for the log. */
    Timeline timeline() {
        return timeline;
    }

    void step(String text) {
        out.println(String.format(Locale.ROOT, "%6.1f s  %s", seconds(), text));
    }

    void text(String lines) {
        out.println(lines);
    }

    double seconds() {
        return (System.nanoTime() - startNanos) / 1e9;
    }
}
