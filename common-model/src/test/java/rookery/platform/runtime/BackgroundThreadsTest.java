// SPDX-License-Identifier: Apache-2.0
package rookery.platform.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class BackgroundThreadsTest {
    /** Field 19 of {@code /proc/thread-self/stat}, counted from the end of the name (proc_pid_stat(5)). */
    private static final int NICE = 19 - 3;

    private static final Path SELF = Path.of("/proc/thread-self/stat");

    @Test
    void onlyTheNewThreadsHaveALowerPriority() {
        int before = nice();
        var threads = BackgroundThreads.named("background-");

        int inThread = CompletableFuture.supplyAsync(
                        BackgroundThreadsTest::nice,
                        work -> threads.newThread(work).start())
                .join();

        assertThat(inThread).isEqualTo(Math.max(before, 10));
        assertThat(nice()).isEqualTo(before);
    }

    private static int nice() {
        try {
            var line = Files.readString(SELF);
            return Integer.parseInt(line.substring(line.lastIndexOf(')') + 2).split(" ", -1)[NICE]);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
