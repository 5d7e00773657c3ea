// SPDX-License-Identifier: Apache-2.0
package rookery.standalone;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import rookery.embedded.Folders;
import rookery.embedded.Spawner;

/**
 * Records a start of the launcher in AOT caches beside its jar. Tests start launchers and instances dozens of times, and the
 * caches halve the CPU time of a start. The build runs the recording in parallel to later steps, and tests wait for its end.
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
                "-Drookery.aot.rehearsal=40")); // the fast compiler makes no profiles
        var command = LauncherForTests.command(recording, flags);
        command.addAll(List.of("--data=" + recording.resolve("data"), "--fresh"));
        var launcher = Spawner.startEndingWithUs(new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(LauncherForTests.RECORDING_LOG.toFile()));
        if (launcher.waitFor() != 0) {
            return; // the folder stays as the sign of a failure
        }
        for (var cache : List.of("launcher.aot", "kafka.aot")) {
            Files.move(recording.resolve(cache), recording.resolveSibling(cache), StandardCopyOption.REPLACE_EXISTING);
        }
        Folders.delete(recording);
    }
}
