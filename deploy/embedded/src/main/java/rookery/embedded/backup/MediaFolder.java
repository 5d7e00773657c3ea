// SPDX-License-Identifier: Apache-2.0
package rookery.embedded.backup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.DigestOutputStream;
import java.util.HexFormat;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import rookery.embedded.ServerException;

/**
 * The uploaded files in a backup: {@code media/TENANT/ab/cd/HASH}, as in room-service's folder. A file exists before its row and
 * never changes, so a copy after the tables contains every file that the tables name.
 */
final class MediaFolder {
    private static final String ENTRIES = "media/";
    private static final Pattern NAME = Pattern.compile("[0-9]+/[0-9a-f]{2}/[0-9a-f]{2}/([0-9a-f]{64})");

    private MediaFolder() {}

    static void write(Path folder, ZipOutputStream zip) throws IOException {
        if (!Files.isDirectory(folder)) {
            return;
        }
        zip.setLevel(0); // pictures and films are compressed already
        try (var all = Files.walk(folder)) {
            for (var file : (Iterable<Path>) all.sorted()::iterator) {
                String name = folder.relativize(file).toString();
                if (NAME.matcher(name).matches()) {
                    zip.putNextEntry(new ZipEntry(ENTRIES + name));
                    Files.copy(file, zip);
                    zip.closeEntry();
                }
            }
        }
    }

    /** Writes the files. Returns their number; fails when the content of a file differs from the hash in its name. */
    static int restore(ZipFile zip, Path folder) throws IOException {
        var owner = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
        int files = 0;
        for (var entry : zip.stream().toList()) {
            if (!entry.getName().startsWith(ENTRIES)) {
                continue;
            }
            var name = NAME.matcher(entry.getName().substring(ENTRIES.length()));
            if (!name.matches()) {
                throw new ServerException("the backup has a file with the name " + entry.getName());
            }
            var file = folder.resolve(name.group());
            Files.createDirectories(file.resolveSibling("").normalize(), owner);
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            var digest = Backup.sha256();
            try (var in = zip.getInputStream(entry);
                    var out = new DigestOutputStream(Files.newOutputStream(file), digest)) {
                in.transferTo(out);
            }
            if (!HexFormat.of().formatHex(digest.digest()).equals(name.group(1))) {
                throw new ServerException("the file %s of the backup is damaged".formatted(entry.getName()));
            }
            files++;
        }
        return files;
    }
}
