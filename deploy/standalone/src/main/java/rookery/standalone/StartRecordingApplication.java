package rookery.standalone;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import rookery.embedded.Folders;
import rookery.embedded.Spawner;

/**
 * Records one start of the launcher in AOT caches beside its jar. Tests start the launcher and its instances dozens of times; with the
 * caches each start takes half the CPU. The build runs this beside what comes next, and tests wait for it.
 */
final class StartRecordingApplication {
    private StartRecordingApplication() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        var recording = LauncherForTests.RECORDING;
        Folders.delete(recording);
        Folders.make(recording);
        Folders.write(
                LauncherForTests.RECORDING_PID,
                Long.toString(ProcessHandle.current().pid()));
        var flags = new ArrayList<>(LauncherForTests.SHORT_LIFE);
        flags.addAll(List.of(
                "-XX:AOTCacheOutput=" + recording.resolve("launcher.aot"),
                "-Drookery.aot.training=true",
                "-Drookery.aot.rehearsal=2")); // with one compiler nothing is counted: some of each request are enough
        var command = LauncherForTests.command(recording, flags);
        command.addAll(List.of("--data=" + recording.resolve("data"), "--fresh"));
        var launcher = Spawner.startEndingWithUs(new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(LauncherForTests.RECORDING_LOG.toFile()));
        if (launcher.waitFor() != 0) {
            return; // the folder stays, and tells
        }
        for (var cache : List.of("launcher.aot", "kafka.aot")) {
            Files.move(recording.resolve(cache), recording.resolveSibling(cache), StandardCopyOption.REPLACE_EXISTING);
        }
        Folders.delete(recording);
    }
}
