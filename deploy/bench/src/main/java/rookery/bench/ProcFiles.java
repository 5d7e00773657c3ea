// SPDX-License-Identifier: Apache-2.0
package rookery.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Reads CPU times and memory from /proc. All CPU times are in seconds. */
final class ProcFiles {
    private static final double TICKS_PER_SECOND = 100; // USER_HZ, which is the same on every Linux that matters

    private static final int UTIME = 11; // index of the field behind the process name
    private static final int STIME = 12;
    private static final int CHILDREN_UTIME = 13;
    private static final int CHILDREN_STIME = 14;

    private ProcFiles() {}

    /** The CPU time of the process and of its living and ended descendants; 0 for a process that has ended. */
    static double cpuSeconds(long pid) {
        double seconds = withEndedChildren(pid);
        var descendants = ProcessHandle.of(pid).stream()
                .flatMap(ProcessHandle::descendants)
                .mapToLong(ProcessHandle::pid)
                .toArray();
        for (long descendant : descendants) {
            seconds += withEndedChildren(descendant);
        }
        return seconds;
    }

    /** Linux adds the time of a child, such as a backend of PostgreSQL, to its parent when the parent has waited for the end. */
    private static double withEndedChildren(long pid) {
        return ticks(pid, UTIME, STIME, CHILDREN_UTIME, CHILDREN_STIME) / TICKS_PER_SECOND;
    }

    private static long ticks(long pid, int... fields) {
        var line = text(Path.of("/proc", Long.toString(pid), "stat"));
        if (line.isEmpty()) {
            return 0;
        }
        var values = line.substring(line.lastIndexOf(')') + 2).split(" ", -1);
        long sum = 0;
        for (int field : fields) {
            sum += Long.parseLong(values[field]);
        }
        return sum;
    }

    /**
     * The CPU times of the machine since its boot.
     *
     * @param busy of all processors together, without stolen time
     * @param stolen by other machines on the same hardware
     */
    record MachineTime(double busy, double stolen) {
        MachineTime minus(MachineTime earlier) {
            return new MachineTime(busy - earlier.busy, stolen - earlier.stolen);
        }
    }

    static MachineTime machineTime() {
        var values = text(Path.of("/proc/stat"))
                .lines()
                .findFirst()
                .orElseThrow()
                .trim()
                .split(" +", -1);
        double[] seconds = new double[9];
        for (int i = 1; i < seconds.length; i++) {
            seconds[i] = Long.parseLong(values[i]) / TICKS_PER_SECOND;
        }
        // user nice system idle iowait irq softirq steal
        return new MachineTime(seconds[1] + seconds[2] + seconds[3] + seconds[6] + seconds[7], seconds[8]);
    }

    /** Such as {@code 0.52 0.30 0.21}. */
    static String loadAverage() {
        return String.join(
                " ", List.of(text(Path.of("/proc/loadavg")).split(" ", 4)).subList(0, 3));
    }

    /** Memory of a process, in MB. */
    record Memory(double pss, double rss) {
        Memory plus(Memory other) {
            return new Memory(pss + other.pss, rss + other.rss);
        }
    }

    static Memory memory(long pid) {
        var rollup = text(Path.of("/proc", Long.toString(pid), "smaps_rollup"));
        return new Memory(megabytes(rollup, "Pss:"), megabytes(rollup, "Rss:"));
    }

    private static double megabytes(String rollup, String key) {
        return rollup.lines()
                .filter(line -> line.startsWith(key))
                .mapToDouble(line -> Double.parseDouble(line.replaceAll("[^0-9]", "")) / 1024)
                .findFirst()
                .orElse(0);
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException _) {
            return ""; // the process has ended
        }
    }
}
