// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.trial;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import rookery.e2e.running.Plan;
import rookery.e2e.running.Rookery;
import rookery.embedded.Folders;
import rookery.program.Program;

/**
 * A run of an end-to-end program: the data folder of its Rookery, its output with the seconds since the start, and its verdict.
 */
public final class Trial {
    /** The second tenant of programs with two tenants; the first is {@code localhost}. */
    public static final String OTHER_TENANT = "other.example";

    private static final int SHOWN = 20;

    private final Path data;
    private final String title;
    private final long begunNanos;

    private Trial(Path data, String title, long begunNanos) {
        this.data = data.toAbsolutePath();
        this.title = title;
        this.begunNanos = begunNanos;
    }

    /** A program. */
    @FunctionalInterface
    public interface Action<T extends TrialOptions> {
        /** Returns whether all promises were kept. */
        boolean run(T options, Trial trial) throws IOException;
    }

    /** The work of a program on a ready Rookery. */
    @FunctionalInterface
    public interface Work {
        /** Returns whether all promises were kept. */
        boolean run(Rookery rookery) throws IOException;
    }

    /**
     * Runs a program and ends the JVM with 0 when all promises were kept.
     *
     * @param name of the script in {@code deploy/e2e}
     */
    public static <T extends TrialOptions> void main(
            String name, String help, T options, String[] arguments, Action<T> action) throws IOException {
        Program.run(
                "deploy/e2e/" + name,
                help,
                options,
                arguments,
                parsed -> action.run(parsed, new Trial(parsed.data, "", System.nanoTime())));
    }

    /** A part of the program, with its own data folder and its title in front of each line. */
    public Trial part(String name) {
        return new Trial(data.resolve(name), "%-8s ".formatted(name), begunNanos);
    }

    public Path data() {
        return data;
    }

    /** A Rookery as operators start it, on the data folder. */
    public Plan plan() {
        return Plan.of(Path.of(System.getProperty("rookery.run", "deploy/run")), data);
    }

    /** Starts a Rookery on the empty data folder, runs the work, stops the Rookery, and deletes the folder. */
    public boolean on(Plan plan, Work work) throws IOException {
        Folders.delete(data);
        say("starting " + (plan.cluster() == null ? "one JVM" : plan.cluster()));
        try (var rookery = Rookery.start(plan)) {
            say("ready on port " + plan.port());
            return work.run(rookery);
        } finally {
            Folders.delete(data);
        }
    }

    /** Prints a line. */
    public void say(String line) {
        System.out.printf(Locale.ROOT, "%7.1f s %s%s%n", (System.nanoTime() - begunNanos) / 1e9, title, line);
    }

    /**
     * Prints the first faults and the verdict.
     *
     * @param kept the promise, in capitals
     * @param summary the figures of the run
     * @return whether there are no faults
     */
    public boolean judge(List<String> faults, String kept, String summary) {
        faults.stream().limit(SHOWN).forEach(fault -> say("fault: " + fault));
        say("%s%s: %s; %d faults".formatted(faults.isEmpty() ? "" : "NOT ", kept, summary, faults.size()));
        return faults.isEmpty();
    }
}
