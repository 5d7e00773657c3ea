package rookery.room.media;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Files and folders that only their owner may enter, and that are there after a loss of power. */
final class OwnerOnly {
    static final FileAttribute<Set<PosixFilePermission>> FILE = attribute("rw-------");
    private static final FileAttribute<Set<PosixFilePermission>> FOLDER = attribute("rwx------");

    private OwnerOnly() {}

    private static FileAttribute<Set<PosixFilePermission>> attribute(String permissions) {
        return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions));
    }

    /** Makes it and those above it, where they are not there yet. */
    static void makeFolder(Path folder) throws IOException {
        if (Files.isDirectory(folder)) {
            return;
        }
        var above = folder.toAbsolutePath().getParent();
        if (above != null) {
            makeFolder(above);
        }
        try {
            Files.createDirectory(folder, FOLDER);
        } catch (FileAlreadyExistsException e) {
            if (!Files.isDirectory(folder)) {
                throw e;
            }
        }
        if (above != null) {
            force(above);
        }
    }

    /** Writes the names in a folder to the disk. */
    static void force(Path folder) throws IOException {
        try (var channel = FileChannel.open(folder)) {
            channel.force(true);
        }
    }
}
