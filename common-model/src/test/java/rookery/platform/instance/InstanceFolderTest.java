// SPDX-License-Identifier: Apache-2.0
package rookery.platform.instance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InstanceFolderTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @TempDir
    Path folder;

    private void write(String name, String text) throws IOException {
        var whole = folder.resolve("." + name);
        Files.writeString(whole, text);
        Files.move(whole, folder.resolve(name), StandardCopyOption.REPLACE_EXISTING);
    }

    private void awaitRead(Map<String, List<Instance>> expected) throws IOException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!InstanceFolder.shared(folder).read().equals(expected)) {
            assertThat(System.nanoTime() - deadline)
                    .as("waited for " + expected)
                    .isNegative();
            Thread.onSpinWait();
        }
    }

    @Test
    void servicesOfAProcessShareTheFolder() {
        assertThat(InstanceFolder.shared(folder.resolve("../" + folder.getFileName())))
                .isSameAs(InstanceFolder.shared(folder));
    }

    @Test
    void changedNewAndDeletedFilesAreSeen() throws IOException {
        var first = new Instance("room-service-1", "127.0.0.1:1", "127.0.0.1:2");
        write("room-service-1", "address=127.0.0.1:1\nmanagement=127.0.0.1:2\n");
        write("unknown", "address=127.0.0.1:9\n");
        write("room-service-2", "pid=7\n");
        awaitRead(Map.of("room-service", List.of(first)));
        var second = new Instance("room-service-2", "127.0.0.1:3", null);
        write("room-service-2", "address=127.0.0.1:3\n");
        write("sync-service-1", "address=127.0.0.1:4\n");
        awaitRead(Map.of(
                "room-service",
                List.of(first, second),
                "sync-service",
                List.of(new Instance("sync-service-1", "127.0.0.1:4", null))));
        Files.delete(folder.resolve("room-service-1"));
        Files.delete(folder.resolve("sync-service-1"));
        awaitRead(Map.of("room-service", List.of(second)));
    }

    @Test
    void aServiceFindsTheInstancesAddedBeforeItsStart() throws IOException {
        write("room-service-1", "address=127.0.0.1:1\n");
        InstanceFolder.shared(folder).read();
        write("sync-service-1", "address=127.0.0.1:4\n");
        var instances = new Instances(new InstanceProperties(folder.toString(), Map.of(), Map.of(), null));
        assertThat(instances.of("sync-service")).hasSize(1);
        instances.destroy();
    }
}
