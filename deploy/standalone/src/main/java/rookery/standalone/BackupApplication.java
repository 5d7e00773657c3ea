// SPDX-License-Identifier: Apache-2.0
package rookery.standalone;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import rookery.embedded.Database;
import rookery.embedded.EmbeddedPostgres;
import rookery.embedded.Folders;
import rookery.embedded.ServerException;
import rookery.embedded.backup.Backup;
import rookery.embedded.backup.Manifest;
import rookery.program.Complaint;
import rookery.program.Program;

/**
 * The program behind {@code deploy/backup}: writes a consistent snapshot of Rookery's data into one file while the services run.
 */
public final class BackupApplication {
    /** The entry with the installation's secrets in the backup of a data folder. */
    static final String SECRETS = "secrets/" + DataFolder.INSTALLATION;

    private static final double MEGABYTE = 1 << 20;

    private BackupApplication() {}

    public static void main(String[] arguments) {
        try {
            var options = BackupOptions.parse(List.of(arguments), Path.of(System.getProperty("rookery.data", "data")));
            if (options.file() == null) {
                System.out.print(Program.resource(BackupApplication.class, "backup-help.txt"));
            } else {
                backUp(options, options.file().toAbsolutePath());
            }
            System.exit(0);
        } catch (Complaint complaint) {
            end("deploy/backup", complaint.getMessage(), complaint.exitValue());
        } catch (ServerException e) {
            end("deploy/backup", e.getMessage(), Complaint.FAILURE);
        }
    }

    private static void backUp(BackupOptions options, Path file) {
        requireNew(file);
        long begunNanos = System.nanoTime();
        var further = new TreeMap<String, String>();
        Database superuser;
        if (options.database == null) {
            superuser = ofDataFolder(options.data, further);
        } else {
            superuser = options.superuser();
        }
        var media = options.database == null ? options.data.resolve(DataFolder.MEDIA) : null;
        var manifest = Backup.write(superuser, file, further, media);
        System.out.println(text(file, manifest, (System.nanoTime() - begunNanos) / 1e9));
        System.out.println(
                further.isEmpty()
                        ? "the secrets and the files that users uploaded are not in it: keep rookery.internal.key yourself, or all"
                                + " clients begin anew, and the folder of rookery.room.media.folder"
                        : "the backup contains the secrets of the data folder and the uploaded files, unencrypted");
    }

    /** Checks that the file can be created. */
    static void requireNew(Path file) {
        if (Files.exists(file)) {
            throw Complaint.failure("%s is there already: name another file".formatted(file));
        }
        var folder = file.getParent();
        if (folder == null || !Files.isDirectory(folder)) {
            throw Complaint.failure("there is no folder %s: make it, or name a file in another one".formatted(folder));
        }
        if (!Files.isWritable(folder)) {
            throw Complaint.failure("you may not write to the folder %s: name a file in another one".formatted(folder));
        }
    }

    private static Database ofDataFolder(Path data, Map<String, String> further) {
        var installation = Folders.textOf(data.resolve(DataFolder.INSTALLATION));
        var superuser = EmbeddedPostgres.running(data.resolve("pg"), Servers.DATABASE);
        if (installation == null || superuser == null) {
            throw Complaint.failure(
                    "nothing runs on the data folder %s: start it with deploy/run, or name another one with --data"
                            .formatted(data));
        }
        further.put(SECRETS, installation);
        return superuser;
    }

    private static String text(Path file, Manifest manifest, double seconds) {
        try {
            return String.format(
                    Locale.ROOT,
                    "%s: %.1f MB, %d rows of %d tables, as of %s, in %.1f s; the room log has %d entries, the user log %d",
                    file,
                    Files.size(file) / MEGABYTE,
                    manifest.rows(),
                    manifest.tables().size(),
                    manifest.taken(),
                    seconds,
                    entries(manifest, "room"),
                    entries(manifest, "auth"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static long entries(Manifest manifest, String schema) {
        return Objects.requireNonNull(manifest.heads().get(schema)).entries();
    }

    static void end(String script, @Nullable String line, int exitValue) {
        System.err.println(script + ": " + line);
        System.exit(exitValue);
    }
}
