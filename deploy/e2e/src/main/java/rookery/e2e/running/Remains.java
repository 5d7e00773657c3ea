package rookery.e2e.running;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Finds the processes of a data folder by their working folder. */
public final class Remains {
    private Remains() {}

    public static List<ProcessHandle> of(Path data) {
        var remains = new ArrayList<ProcessHandle>();
        try (var processes = Files.newDirectoryStream(Path.of("/proc"), "[1-9]*")) {
            for (var process : processes) {
                if (worksIn(process, data.toAbsolutePath())) {
                    ProcessHandle.of(Long.parseLong(process.getFileName().toString()))
                            .ifPresent(remains::add);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return remains;
    }

    private static boolean worksIn(Path process, Path data) {
        try {
            return Files.readSymbolicLink(process.resolve("cwd")).startsWith(data);
        } catch (IOException _) {
            return false; // the process has ended or is a zombie
        }
    }
}
