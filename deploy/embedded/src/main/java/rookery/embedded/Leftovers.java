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
 * Processes of an earlier run that is gone. They are known by their working folder, which is ours alone, and by what they run:
 * a process id in a file may meanwhile be anybody's.
 */
public final class Leftovers {
    private static final Path PROC = Path.of("/proc");
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private Leftovers() {}

    /**
     * Ends the programs whose name is given (the last part of their path, such as {@code postgres} or {@code java}) and that
     * work in the folder or below it. They get a few seconds to end by themselves, since they were told already.
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

    private static List<ProcessHandle> find(Path folder, String program) {
        Predicate<Path> runs = executable -> executable.endsWith(program);
        Predicate<Path> works =
                place -> place.startsWith(folder.toAbsolutePath().normalize());
        try (var processes = Files.newDirectoryStream(PROC, "[1-9]*")) {
            var found = new ArrayList<ProcessHandle>();
            for (var process : processes) {
                if (link(process.resolve("cwd"), works) && link(process.resolve("exe"), runs)) {
                    ProcessHandle.of(Long.parseLong(process.getFileName().toString()))
                            .ifPresent(found::add);
                }
            }
            return found;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A process that ends meanwhile, is a zombie or is not ours to look at has no such link. */
    private static boolean link(Path link, Predicate<Path> condition) {
        try {
            return condition.test(Files.readSymbolicLink(link));
        } catch (IOException _) {
            return false;
        }
    }
}
