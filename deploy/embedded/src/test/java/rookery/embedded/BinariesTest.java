// SPDX-License-Identifier: Apache-2.0
package rookery.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.io.TempDir;

class BinariesTest {
    private static final int PROCESSES = 4;

    /** As at the first build, when the tests of several modules start their servers at the same time. */
    @RepeatedTest(5)
    void unpackingsAtTheSameTimeAllSucceed(@TempDir Path folder) throws Exception {
        var start = new CyclicBarrier(PROCESSES);
        var unpackings = new ArrayList<Callable<Path>>();
        for (int i = 0; i < PROCESSES; i++) {
            unpackings.add(() -> {
                start.await();
                return new Binaries(folder).redis();
            });
        }
        try (var threads = Executors.newFixedThreadPool(PROCESSES)) {
            for (var unpacking : threads.invokeAll(unpackings)) {
                assertThat(unpacking.get()).isExecutable();
            }
        }
        assertThat(names(folder)).as("no drafts").hasSize(1);
    }

    private static String[] names(Path folder) throws IOException {
        try (var files = Files.list(folder)) {
            return files.map(Path::toString).toArray(String[]::new);
        }
    }
}
