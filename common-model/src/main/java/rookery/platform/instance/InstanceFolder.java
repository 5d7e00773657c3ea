// SPDX-License-Identifier: Apache-2.0
package rookery.platform.instance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The launcher's folder with one file for each instance. A process reads the folder once for all of its services. */
final class InstanceFolder {
    private static final Pattern FILE = Pattern.compile("([a-z-]+)-(\\d+)");
    private static final Map<Path, InstanceFolder> SHARED = new ConcurrentHashMap<>();
    /** A reading serves the services that read in the same round: their timers run one after the other. */
    private static final long ROUND_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final Path folder;
    private Map<Path, ReadFile> files = Map.of();
    private @Nullable Map<String, List<Instance>> last;
    private long readNanos;

    private InstanceFolder(Path folder) {
        this.folder = folder;
    }

    static InstanceFolder shared(Path folder) {
        return SHARED.computeIfAbsent(folder.toAbsolutePath().normalize(), InstanceFolder::new);
    }

    /** The instances by service, as of at most half a second ago. */
    synchronized Map<String, List<Instance>> read() throws IOException {
        var read = last;
        return read == null || System.nanoTime() - readNanos >= ROUND_NANOS ? readNow() : read;
    }

    /** The instances by service, for a service that starts: instances that were added before must be found. */
    synchronized Map<String, List<Instance>> readNow() throws IOException {
        readNanos = System.nanoTime();
        var read = readFiles();
        last = read;
        return read;
    }

    private Map<String, List<Instance>> readFiles() throws IOException {
        var read = new HashMap<String, List<Instance>>();
        if (!Files.isDirectory(folder)) {
            return read;
        }
        var paths = new ArrayList<Path>();
        try (var listed = Files.list(folder)) {
            listed.sorted().forEach(paths::add);
        }
        var before = files;
        files = new HashMap<>();
        for (var path : paths) {
            var name = FILE.matcher(path.getFileName().toString());
            var file = name.matches() ? ReadFile.of(path, before.get(path)) : null;
            if (file == null) {
                continue;
            }
            files.put(path, file);
            var text = file.text;
            String address = text.getProperty("address");
            if (address != null) {
                read.computeIfAbsent(name.group(1), _ -> new ArrayList<>())
                        .add(new Instance(name.group(), address, text.getProperty("management")));
            }
        }
        return read;
    }

    /**
     * The content of an instance file, with the modification time and file key, which change because files are replaced whole.
     */
    private record ReadFile(FileTime modified, @Nullable Object key, Properties text) {
        /** Reads the file if it has changed; null if it is deleted. */
        static @Nullable ReadFile of(Path path, @Nullable ReadFile before) {
            try {
                var attributes = Files.readAttributes(path, BasicFileAttributes.class);
                if (before != null
                        && before.modified.equals(attributes.lastModifiedTime())
                        && Objects.equals(before.key, attributes.fileKey())) {
                    return before;
                }
                var text = new Properties();
                try (var in = Files.newBufferedReader(path)) {
                    text.load(in);
                }
                return new ReadFile(attributes.lastModifiedTime(), attributes.fileKey(), text);
            } catch (IOException _) {
                return null; // deleted between listing and reading
            }
        }
    }
}
