// SPDX-License-Identifier: Apache-2.0
package rookery.room.media;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import rookery.model.id.TenantId;

/**
 * Files in a folder: {@code TENANT/ab/cd/HASH} for each content, {@code incoming} for unfinished uploads. A file gets its final
 * name by an atomic move after its bytes are on the disk, so a name never leads to a partial file.
 */
final class FolderStorage implements MediaStorage {
    private static final Pattern TENANT = Pattern.compile("[0-9]+");
    private static final int PREFIX_CHARS = 2;

    private final Path folder;
    private final Path incoming;

    FolderStorage(Path folder) throws IOException {
        this.folder = folder;
        this.incoming = incoming(folder);
        OwnerOnly.makeFolder(incoming);
    }

    static Path incoming(Path folder) {
        return folder.resolve("incoming");
    }

    @Override
    public Path incoming() {
        return incoming;
    }

    /** Replaces a file of the same content, which gets a new modification time. */
    @Override
    public void keep(TenantId tenant, ContentHash hash, Path file) throws IOException {
        try (var channel = FileChannel.open(file)) {
            channel.force(true);
        }
        var target = path(tenant, hash);
        var parent = target.resolveSibling("").normalize();
        OwnerOnly.makeFolder(parent);
        Files.move(file, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        OwnerOnly.force(parent);
    }

    @Override
    public InputStream read(TenantId tenant, ContentHash hash, long from, long length) throws IOException {
        return Channels.newInputStream(FileChannel.open(path(tenant, hash)).position(from));
    }

    @Override
    public LocalFile local(TenantId tenant, ContentHash hash) throws IOException {
        var path = path(tenant, hash);
        if (!Files.isRegularFile(path)) {
            throw MediaStorage.missing(tenant, hash);
        }
        return new PermanentFile(path);
    }

    @Override
    public void check() throws IOException {
        if (!Files.isWritable(incoming)) {
            throw new IOException("the folder of media cannot be written to");
        }
    }

    @Override
    public Stream<Map.Entry<TenantId, List<ContentHash>>> older(Instant before) {
        return folders(folder).stream()
                .filter(tenant -> TENANT.matcher(name(tenant)).matches())
                .flatMap(tenant -> folders(tenant).stream()
                        .flatMap(branch -> folders(branch).stream())
                        .map(leaf -> Map.entry(new TenantId(Integer.parseInt(name(tenant))), older(leaf, before))))
                .filter(portion -> !portion.getValue().isEmpty());
    }

    @Override
    public void delete(TenantId tenant, ContentHash hash) throws IOException {
        Files.deleteIfExists(path(tenant, hash));
    }

    /** Folders are deleted with their files. */
    @Override
    public int deleteSome(TenantId tenant, int most) throws IOException {
        var root = folder.resolve(Integer.toString(tenant.value()));
        if (!Files.isDirectory(root)) {
            return 0;
        }
        try (var found = Files.walk(root)) {
            var some = found.limit(most).toList();
            for (var path : some.reversed()) { // a folder comes after its files, and stays while files are left in it
                deleteUnlessFull(path);
            }
            return some.size();
        }
    }

    private static void deleteUnlessFull(Path path) throws IOException {
        try {
            Files.deleteIfExists(path);
        } catch (DirectoryNotEmptyException _) {
            // deleted with its last files
        }
    }

    private Path path(TenantId tenant, ContentHash hash) {
        String hex = hash.hex();
        return folder.resolve(Integer.toString(tenant.value()))
                .resolve(hex.substring(0, PREFIX_CHARS))
                .resolve(hex.substring(PREFIX_CHARS, 2 * PREFIX_CHARS))
                .resolve(hex);
    }

    private static List<ContentHash> older(Path leaf, Instant before) {
        var older = new ArrayList<ContentHash>();
        for (var path : entries(leaf)) {
            if (ContentHash.isOne(name(path)) && isOlder(path, before)) {
                older.add(new ContentHash(name(path)));
            }
        }
        return older;
    }

    /** Whether the file was last written before that instant; false if the file is gone. */
    static boolean isOlder(Path path, Instant before) {
        try {
            return Files.getLastModifiedTime(path).toInstant().isBefore(before);
        } catch (NoSuchFileException _) {
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String name(Path path) {
        return String.valueOf(path.getFileName());
    }

    private static List<Path> folders(Path directory) {
        return entries(directory).stream().filter(Files::isDirectory).toList();
    }

    static List<Path> entries(Path directory) {
        try (var entries = Files.list(directory)) {
            return entries.toList();
        } catch (NoSuchFileException _) {
            return List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The stored file itself, which stays after closing. */
    private record PermanentFile(Path path) implements LocalFile {
        @Override
        public void close() {}
    }
}
