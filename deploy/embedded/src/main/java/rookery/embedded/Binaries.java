// SPDX-License-Identifier: Apache-2.0
package rookery.embedded;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.tukaani.xz.XZInputStream;

/**
 * Unpacks the servers' programs from the jars of the class path into a folder shared by many runs. A program's folder appears
 * atomically, and its name contains a checksum of the program.
 */
final class Binaries {
    private static final int BUFFER_BYTES = 1 << 16;
    private static final int OWNER_EXECUTE = 0100;

    private final Path folder;
    private int unpackings;

    Binaries(Path folder) {
        this.folder = folder.toAbsolutePath().normalize();
    }

    /** The folder with {@code bin/postgres} and {@code bin/initdb}. */
    Path postgres() {
        return switch (architecture()) {
            case AMD64 -> unpacked("postgres", "postgres-linux-x86_64.txz", Binaries::untar);
            case ARM64 -> unpacked("postgres", "postgres-linux-arm_64.txz", Binaries::untar);
        };
    }

    /** Unpacks PostgreSQL. Returns false when an earlier call had unpacked the same version. */
    boolean unpackPostgres() {
        var before = unpackings;
        postgres();
        return unpackings > before;
    }

    /** The program {@code redis-server}. */
    Path redis() {
        var unpacked = switch (architecture()) {
            case AMD64 -> unpacked("redis", "redis-server-7.0.15-linux-amd64", Binaries::copyRedis);
            case ARM64 -> unpacked("redis", "redis-server-7.0.15-linux-arm64", Binaries::copyRedis);
        };
        return unpacked.resolve("redis-server");
    }

    private Path unpacked(String name, String resource, Unpacker unpacking) {
        try {
            var source = Binaries.class.getClassLoader().getResource(resource);
            if (source == null) {
                throw new ServerException(
                        "%s is missing on the class path: build the project again".formatted(resource));
            }
            var target = folder.resolve("%s-%08x".formatted(name, checksum(source)));
            if (!Files.isDirectory(target)) {
                unpack(source, target, unpacking);
                unpackings++;
            }
            return target;
        } catch (IOException e) {
            throw new ServerException("cannot unpack %s into %s: %s".formatted(resource, folder, e), e);
        }
    }

    private void unpack(URL source, Path target, Unpacker unpacking) throws IOException {
        Files.createDirectories(folder);
        var draft = Files.createTempDirectory(
                folder,
                ".unpacking-",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        try (var in = new BufferedInputStream(source.openStream(), BUFFER_BYTES)) {
            unpacking.into(draft, in);
            Files.setPosixFilePermissions(draft, PosixFilePermissions.fromString("rwxr-xr-x"));
            Files.move(draft, target, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            Folders.delete(draft);
            if (!Files.isDirectory(
                    target)) { // else another process was faster, and a non-empty folder is never replaced
                throw e;
            }
        }
    }

    private static void untar(Path target, InputStream xz) throws IOException {
        try (var tar = new TarArchiveInputStream(new XZInputStream(xz))) {
            for (var entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                extract(entry, tar, target);
            }
        }
    }

    private static void extract(TarArchiveEntry entry, TarArchiveInputStream tar, Path target) throws IOException {
        var path = target.resolve(entry.getName()).normalize();
        if (!path.startsWith(target)) {
            throw new IOException("the archive has an entry outside of its folder: " + entry.getName());
        }
        if (entry.isDirectory()) {
            Files.createDirectories(path);
        } else if (entry.isSymbolicLink()) {
            Files.createDirectories(path.getParent());
            Files.createSymbolicLink(path, Path.of(entry.getLinkName()));
        } else {
            Files.createDirectories(path.getParent());
            Files.copy(tar, path);
            readableByAll(path, (entry.getMode() & OWNER_EXECUTE) != 0);
        }
    }

    private static void copyRedis(Path target, InputStream program) throws IOException {
        var path = target.resolve("redis-server");
        Files.copy(program, path);
        readableByAll(path, true);
    }

    private static void readableByAll(Path path, boolean executable) throws IOException {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(executable ? "rwxr-xr-x" : "rw-r--r--"));
    }

    private static long checksum(URL source) throws IOException {
        var connection = source.openConnection();
        if (connection instanceof JarURLConnection jar && jar.getJarEntry() != null) {
            return jar.getJarEntry().getCrc();
        }
        return connection.getContentLengthLong();
    }

    private static Architecture architecture() {
        var machine = System.getProperty("os.arch");
        if (System.getProperty("os.name").equals("Linux")) {
            if (machine.equals("amd64")) {
                return Architecture.AMD64;
            }
            if (machine.equals("aarch64")) {
                return Architecture.ARM64;
            }
        }
        throw new ServerException(
                "the embedded servers run on Linux (x86_64 or arm64 with glibc), not on %s %s: use a Linux"
                                .formatted(System.getProperty("os.name"), machine)
                        + " machine or a container");
    }

    private enum Architecture {
        AMD64,
        ARM64
    }

    @FunctionalInterface
    private interface Unpacker {
        void into(Path target, InputStream source) throws IOException;
    }
}
