// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.running;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import rookery.embedded.Folders;

/**
 * A process of a running Rookery, described by its file in the folder of instances.
 *
 * @param name such as {@code room-service-2} or {@code kafka-1}
 * @param address host and port
 * @param management host and port of the management pages; null without them
 */
public record Instance(
        String name, long pid, String address, @Nullable String management) {
    public int port() {
        return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    }

    /** All instances of a data folder; empty without the folder. */
    public static List<Instance> all(Path data) {
        var instances = new ArrayList<Instance>();
        try (var files = Files.newDirectoryStream(data.resolve("instances"), "[a-z]*")) {
            for (var file : files) {
                var instance = read(file);
                if (instance != null) {
                    instances.add(instance);
                }
            }
        } catch (NoSuchFileException _) {
            return List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return instances;
    }

    /** Reads the file of an instance; null when the instance does not run. */
    static @Nullable Instance read(Path file) {
        var properties = Folders.propertiesOf(file);
        return properties == null
                ? null
                : new Instance(
                        file.getFileName().toString(),
                        Long.parseLong(properties.getProperty("pid")),
                        properties.getProperty("address"),
                        properties.getProperty("management"));
    }
}
