// SPDX-License-Identifier: Apache-2.0
package rookery.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Processes left by an earlier run. They are identified by their working folder and their program, because a stored process id
 * may belong to another process meanwhile.
 */
public final class Leftovers {
    private static final Path PROC = Path.of("/proc");
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private Leftovers() {}

    /**
     * Ends the processes of a program (the last part of the path, such as {@code postgres} or {@code java}) whose working folder
     * is inside the folder. They have three seconds to end on the kernel's signal; SIGKILL follows.
     */
    public static void end(Path folder, String program) {
        if (Deadline.in(Duration.ofSeconds(3)).until(() -> find(folder, program).isEmpty())) {
            return;
        }
        find(folder, program).forEach(ProcessHandle::destroyForcibly);
        if (!Deadline.in(PATIENCE).until(() -> find(folder, program).isEmpty())) {
            throw new ServerException("a %s of an earlier run still works in %s and does not end: pids %s"
                    .formatted(program, folder, pids(folder, program)));
        }
    }

    public static List<Long> pids(Path folder, String program) {
        return find(folder, program).stream().map(ProcessHandle::pid).toList();
    }

    /** All processes whose working folder is inside the folder. */
    public static List<ProcessHandle> in(Path folder) {
        return find(folder, _ -> true);
    }

    private static List<ProcessHandle> find(Path folder, String program) {
        return find(folder, process -> link(process.resolve("exe"), executable -> executable.endsWith(program)));
    }

    private static List<ProcessHandle> find(Path folder, Predicate<Path> condition) {
        Predicate<Path> works =
                place -> place.startsWith(folder.toAbsolutePath().normalize());
        try (var processes = Files.newDirectoryStream(PROC, "[1-9]*")) {
            var matching = new ArrayList<ProcessHandle>();
            for (var process : processes) {
                if (link(process.resolve("cwd"), works) && condition.test(process)) {
                    ProcessHandle.of(Long.parseLong(process.getFileName().toString()))
                            .ifPresent(matching::add);
                }
            }
            return matching;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The link is missing for processes that end meanwhile, for zombies, and for processes of other users. */
    private static boolean link(Path link, Predicate<Path> condition) {
        try {
            return condition.test(Files.readSymbolicLink(link));
        } catch (IOException _) {
            return false;
        }
    }
}
