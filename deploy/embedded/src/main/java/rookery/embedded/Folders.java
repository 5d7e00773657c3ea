// SPDX-License-Identifier: Apache-2.0
package rookery.embedded;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Properties;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Operations on whole folders and on files that only their owner may read. */
public final class Folders {
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rw-------");

    private Folders() {}

    public static Path make(Path folder) {
        try {
            return Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Deletes the folder with its content. A missing folder is no error, nor are files that disappear meanwhile. */
    public static void delete(Path folder) {
        try {
            Files.walkFileTree(folder, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    Files.deleteIfExists(file);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
                    if (failure instanceof NoSuchFileException) {
                        return FileVisitResult.CONTINUE;
                    }
                    throw failure;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failure)
                        throws IOException {
                    Files.deleteIfExists(visited);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes a file with secrets atomically; the file is never readable by other users. */
    public static void writeSecret(Path file, String text) {
        write(file, text, OWNER_ONLY);
    }

    /** Replaces a file atomically. */
    public static void write(Path file, String text) {
        write(file, text, PosixFilePermissions.fromString("rw-r--r--"));
    }

    private static void write(Path file, String text, Set<PosixFilePermission> permissions) {
        try {
            long pid = ProcessHandle.current().pid(); // another process may write the same file
            var draft = file.resolveSibling("." + file.getFileName() + "." + pid + ".new");
            Files.deleteIfExists(draft);
            Files.createFile(draft, PosixFilePermissions.asFileAttribute(permissions));
            Files.writeString(draft, text);
            Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Makes a file that only its owner may read, or restricts an existing file to its owner. */
    static void keepToOwner(Path file) {
        try {
            if (Files.exists(file)) {
                Files.setPosixFilePermissions(file, OWNER_ONLY);
            } else {
                Files.createFile(file, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The properties in a file; null when the file is missing. */
    public static @Nullable Properties propertiesOf(Path file) {
        var text = textOf(file);
        return text == null ? null : parsed(text);
    }

    /** Parses the text of a properties file. */
    public static Properties parsed(String text) {
        var properties = new Properties();
        try {
            properties.load(new StringReader(text));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return properties;
    }

    /** The text of a file; null when the file is missing. */
    public static @Nullable String textOf(Path file) {
        try {
            return Files.readString(file);
        } catch (NoSuchFileException _) {
            return null;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The outermost folder with a pom at or above the folder: the checkout, from any module. The folder itself when there is
     * no pom.
     */
    public static Path outermostWithPom(Path start) {
        var outermost = start;
        for (var folder = start; folder != null; folder = folder.getParent()) {
            if (Files.exists(folder.resolve("pom.xml"))) {
                outermost = folder;
            }
        }
        return outermost;
    }

    /** Changes the owner of the folder and its content; nothing to do when the folder already has that owner. */
    static void giveTo(int uid, Path folder) {
        try {
            if (Files.getAttribute(folder, "unix:uid").equals(uid)) {
                return;
            }
            Files.walkFileTree(folder, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    Files.setAttribute(file, "unix:uid", uid, LinkOption.NOFOLLOW_LINKS);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failure)
                        throws IOException {
                    Files.setAttribute(visited, "unix:uid", uid); // the top folder last, as the mark of completion
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
