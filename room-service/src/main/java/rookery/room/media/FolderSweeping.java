package rookery.room.media;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import rookery.model.id.TenantId;

/**
 * Removes what crashes have left in the folder of a {@link FolderMediaStore}; blocks. Several instances may do so at once, and while
 * the same content is uploaded again: what is to be deleted is first moved aside, and comes back if it turns out to be young.
 */
final class FolderSweeping {
    private static final Logger log = LoggerFactory.getLogger(FolderSweeping.class);
    private static final String ASIDE = "aside-";
    private static final Pattern TENANT = Pattern.compile("[0-9]+");

    private final Path folder;
    private final Path incoming;

    FolderSweeping(Path folder, Path incoming) {
        this.folder = folder;
        this.incoming = incoming;
    }

    /** Of uploads that nobody writes to any more; and what was moved aside by who died then comes back, to be judged again. */
    boolean clean(Instant before) throws IOException {
        for (var path : entries(incoming)) {
            try {
                if (!isOlder(path, before)) {
                    continue;
                }
                if (name(path).startsWith(ASIDE)) {
                    comeBack(path);
                } else {
                    Files.deleteIfExists(path);
                    log.atInfo().addKeyValue("file", name(path)).log("an upload that never ended was removed");
                }
            } catch (NoSuchFileException _) {
                // another instance was faster
            }
        }
        return true;
    }

    /** The folders with contents. */
    List<Path> leaves() {
        var leaves = new ArrayList<Path>();
        for (var tenant : folders(folder)) {
            if (TENANT.matcher(name(tenant)).matches()) {
                folders(tenant).forEach(branch -> leaves.addAll(folders(branch)));
            }
        }
        return leaves;
    }

    Map.Entry<TenantId, List<ContentHash>> older(Path leaf, Instant before) throws IOException {
        var older = new ArrayList<ContentHash>();
        for (var path : entries(leaf)) {
            try {
                if (ContentHash.isOne(name(path)) && isOlder(path, before)) {
                    older.add(new ContentHash(name(path)));
                }
            } catch (NoSuchFileException _) {
                // another instance was faster
            }
        }
        var tenant = folder.relativize(leaf).getName(0).toString();
        return Map.entry(new TenantId(Integer.parseInt(tenant)), older);
    }

    /** Whether it is gone. */
    boolean delete(Path content, TenantId tenant, Instant before) throws IOException {
        try {
            var aside = incoming.resolve(ASIDE + tenant.value() + "-" + name(content));
            Files.move(content, aside, StandardCopyOption.ATOMIC_MOVE);
            if (isOlder(aside, before)) {
                Files.deleteIfExists(aside);
                log.atInfo().addKeyValue("file", name(content)).log("a file that no row names was removed");
                return true;
            }
            comeBack(aside);
            return false;
        } catch (NoSuchFileException _) {
            return true; // another instance was faster
        }
    }

    private void comeBack(Path aside) throws IOException {
        String[] words = name(aside).substring(ASIDE.length()).split("-", 2);
        var content =
                FolderMediaStore.path(folder, new TenantId(Integer.parseInt(words[0])), new ContentHash(words[1]));
        Files.move(aside, content, StandardCopyOption.ATOMIC_MOVE);
    }

    private static boolean isOlder(Path path, Instant before) throws IOException {
        return Files.getLastModifiedTime(path).toInstant().isBefore(before);
    }

    private static String name(Path path) {
        return String.valueOf(path.getFileName());
    }

    private static List<Path> folders(Path directory) {
        return entries(directory).stream().filter(Files::isDirectory).toList();
    }

    private static List<Path> entries(Path directory) {
        try (var entries = Files.list(directory)) {
            return entries.toList();
        } catch (NoSuchFileException _) {
            return List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
