// SPDX-License-Identifier: Apache-2.0
package rookery.embedded;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;

/**
 * Port reservations across the processes of a machine: a file in the folder for temporary files, in which a process locks the
 * byte at the port's number. The kernel releases the locks when the process ends.
 */
final class PortClaims {
    private static final String FILE = "rookery-ports";

    /** Never closed: closing any channel of the file would release all locks of the process. */
    private static final @Nullable FileChannel CHANNEL = open();

    private PortClaims() {}

    /**
     * Reserves the port for this process. Returns true when the process already has it, and for all ports when the file cannot
     * be opened.
     */
    static boolean claim(int port) {
        if (CHANNEL == null) {
            return true;
        }
        try {
            return CHANNEL.tryLock(port, 1, false) != null;
        } catch (OverlappingFileLockException _) {
            return true; // this process has the lock
        } catch (IOException _) {
            return true; // a file system without locks
        }
    }

    /** The file is shared by all users of the machine; a user who may not open it gets a file of the user's own. */
    private static @Nullable FileChannel open() {
        var folder = Path.of(System.getProperty("java.io.tmpdir"));
        var common = open(folder.resolve(FILE));
        return common != null ? common : open(folder.resolve(FILE + "-" + System.getProperty("user.name")));
    }

    private static @Nullable FileChannel open(Path file) {
        try {
            Files.createFile(file);
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
        } catch (FileAlreadyExistsException _) {
            // the usual case
        } catch (IOException | UnsupportedOperationException _) {
            return null;
        }
        try {
            return FileChannel.open(file, StandardOpenOption.WRITE);
        } catch (IOException _) {
            return null;
        }
    }
}
