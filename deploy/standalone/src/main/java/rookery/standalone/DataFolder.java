// SPDX-License-Identifier: Apache-2.0
package rookery.standalone;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Objects;
import rookery.embedded.Folders;
import rookery.embedded.Leftovers;
import rookery.program.Complaint;

/** The data folder of a run, locked against other runs until the run ends. */
final class DataFolder implements AutoCloseable {
    private static final String LOCK = "lock";
    static final String INSTALLATION = "rookery.properties";

    /** The folder of uploaded files. */
    static final String MEDIA = "media";

    /** The folder of PostgreSQL. */
    static final String DATABASE = "pg";

    private static final List<String> PRIVATE =
            List.of("logs", "config", "instances", "mail", "sms", MEDIA, "kafka", "redis");

    private final Path path;
    private final FileChannel lock;
    private final Installation installation;

    private DataFolder(Path path, FileChannel lock, Installation installation) {
        this.path = path;
        this.lock = lock;
        this.installation = installation;
    }

    /** Opens or creates the folder. Throws a complaint when this run may not use the folder. */
    static DataFolder open(Path path, boolean fresh, String serverName) {
        try {
            Files.createDirectories(path);
            refuseForeign(path);
            var lock = lock(path);
            try {
                endLeftovers(path);
                if (fresh) {
                    empty(path);
                }
                var opened = new DataFolder(path, lock, installation(path, serverName));
                keepToOwner(path);
                return opened;
            } catch (IOException | RuntimeException e) {
                lock.close();
                throw e;
            }
        } catch (IOException | UncheckedIOException e) {
            throw Complaint.failure("cannot write to the data folder %s (%s): choose another one with --data"
                    .formatted(path, reason(e)));
        }
    }

    Installation installation() {
        return installation;
    }

    Path path() {
        return path;
    }

    /** A subfolder, created when missing. */
    Path folder(String name) {
        return Folders.make(path.resolve(name));
    }

    /**
     * Restricts the folder to its owner: logs, mails, the segments of Kafka and Redis. PostgreSQL under root runs as another
     * user, who may traverse the folder but not list it.
     */
    private static void keepToOwner(Path path) throws IOException {
        if (!Files.getFileStore(path).supportsFileAttributeView(PosixFileAttributeView.class)) {
            return;
        }
        boolean isRoots = Objects.equals(Files.getAttribute(path, "unix:uid"), 0);
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(isRoots ? "rwx--x--x" : "rwx------"));
        Files.setPosixFilePermissions(
                Folders.make(path.resolve(DATABASE)),
                PosixFilePermissions.fromString(isRoots ? "rwx--x--x" : "rwx------"));
        for (var name : PRIVATE) {
            makePrivate(path.resolve(name));
        }
    }

    /** Makes a folder that only its owner may enter, on file systems with POSIX permissions. */
    static void makePrivate(Path folder) {
        try {
            if (Files.getFileStore(Folders.make(folder)).supportsFileAttributeView(PosixFileAttributeView.class)) {
                Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Releases the lock. */
    @Override
    public void close() {
        try {
            lock.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Refuses a folder with other content, so that no file of other programs is mixed with Rookery's data or deleted by
     * {@code --fresh}.
     */
    private static void refuseForeign(Path path) throws IOException {
        if (Files.exists(path.resolve(INSTALLATION))) {
            return;
        }
        try (var entries = Files.list(path)) {
            if (entries.anyMatch(entry -> !entry.getFileName().toString().equals(LOCK))) {
                throw Complaint.failure("%s holds other things than Rookery's data: choose an empty folder with --data"
                        .formatted(path));
            }
        }
    }

    /** Waits for the children of a killed run, which end by themselves. */
    private static void endLeftovers(Path path) {
        Leftovers.end(path.resolve("config"), "java");
        Leftovers.end(path.resolve("kafka"), "java");
        Leftovers.end(path.resolve(DATABASE), "postgres");
        Leftovers.end(path.resolve("redis"), "redis-server");
    }

    private static FileChannel lock(Path path) throws IOException {
        var channel = FileChannel.open(
                path.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try {
            if (channel.tryLock() == null) {
                throw inUse(path, read(channel));
            }
        } catch (OverlappingFileLockException _) {
            throw inUse(path, read(channel));
        }
        channel.truncate(0);
        channel.write(ByteBuffer.wrap((ProcessHandle.current().pid() + "\n").getBytes(StandardCharsets.US_ASCII)));
        return channel;
    }

    private static Complaint inUse(Path path, String pid) {
        return Complaint.failure(
                "the data folder %s is in use by another run (pid %s): stop that one, or choose another folder with --data"
                        .formatted(path, pid));
    }

    private static String read(FileChannel channel) throws IOException {
        try (channel) {
            var text = ByteBuffer.allocate(20);
            channel.read(text, 0);
            return new String(text.array(), 0, text.position(), StandardCharsets.US_ASCII).strip();
        }
    }

    private static void empty(Path path) throws IOException {
        List<Path> entries;
        try (var found = Files.list(path)) {
            entries = found.toList();
        }
        for (var entry : entries) {
            var name = entry.getFileName().toString();
            if (!name.equals(LOCK) && !name.equals(INSTALLATION)) {
                Folders.delete(entry);
            }
        }
        Files.deleteIfExists(path.resolve(INSTALLATION)); // last, so that a partly emptied folder is still recognized
    }

    private static Installation installation(Path path, String serverName) {
        var text = Folders.textOf(path.resolve(INSTALLATION));
        if (text == null) {
            var created = Installation.create(serverName);
            Folders.writeSecret(path.resolve(INSTALLATION), created.text());
            return created;
        }
        var found = Installation.parse(text);
        if (found.layout() > Installation.LAYOUT) {
            throw Complaint.failure(
                    "%s was written by a newer version of Rookery (layout %d, this one knows %d): start that version, or choose another folder with --data"
                            .formatted(path, found.layout(), Installation.LAYOUT));
        }
        if (found.layout() < 1 || found.internalKey().isEmpty()) {
            throw Complaint.failure(
                    "%s is damaged: restore it, or begin anew with --fresh".formatted(path.resolve(INSTALLATION)));
        }
        if (!found.serverName().equals(serverName)) {
            throw Complaint.failure(
                    "%s holds the data of server name %s, not %s: add --server-name %s, or choose another folder with --data"
                            .formatted(path, found.serverName(), serverName, found.serverName()));
        }
        return found;
    }

    private static String reason(Exception e) {
        var cause = e instanceof UncheckedIOException wrapped && wrapped.getCause() != null ? wrapped.getCause() : e;
        return cause.getClass().getSimpleName().replace("Exception", "") + ": " + cause.getMessage();
    }
}
