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
 * Which process of this machine may hand out which port: one file in the folder for temporary files, of which a process locks the
 * byte at the port's number. The kernel gives the locks back when the process is gone, however it ended.
 */
final class PortClaims {
    private static final String FILE = "rookery-ports";

    /** Never closed: closing any channel to the file would give back all locks of the process. */
    private static final @Nullable FileChannel CHANNEL = open();

    private PortClaims() {}

    /** Whether it is ours, from now on or already. Where the file cannot be had, everything is. */
    static boolean claim(int port) {
        if (CHANNEL == null) {
            return true;
        }
        try {
            return CHANNEL.tryLock(port, 1, false) != null;
        } catch (OverlappingFileLockException _) {
            return true; // by ourselves
        } catch (IOException _) {
            return true; // a file system without locks
        }
    }

    /** The file is for all users of the machine; where another one's may not be opened, there is one for each. */
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
            // as it mostly is
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
