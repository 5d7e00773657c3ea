// SPDX-License-Identifier: Apache-2.0
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

/** Creates files and folders that only the owner may enter, and forces folders to the disk. */
final class OwnerOnly {
    static final FileAttribute<Set<PosixFilePermission>> FILE = attribute("rw-------");
    private static final FileAttribute<Set<PosixFilePermission>> FOLDER = attribute("rwx------");

    private OwnerOnly() {}

    private static FileAttribute<Set<PosixFilePermission>> attribute(String permissions) {
        return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions));
    }

    /** Creates the folder and its parents where missing. */
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

    /** Forces the entries of a folder to the disk. */
    static void force(Path folder) throws IOException {
        try (var channel = FileChannel.open(folder)) {
            channel.force(true);
        }
    }
}
