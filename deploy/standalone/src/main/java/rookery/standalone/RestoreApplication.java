// SPDX-License-Identifier: Apache-2.0
package rookery.standalone;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import rookery.embedded.EmbeddedPostgres;
import rookery.embedded.Folders;
import rookery.embedded.Migrations;
import rookery.embedded.ServerException;
import rookery.embedded.TenantTables;
import rookery.embedded.backup.Restore;
import rookery.embedded.backup.Restore.RestoreResult;
import rookery.platform.tenant.TenantRegister;
import rookery.platform.tenant.TenantsRefusedException;
import rookery.program.Complaint;
import rookery.program.Program;

/** The program behind {@code deploy/restore}: restores a backup into a new data folder or an empty database. */
public final class RestoreApplication {
    private RestoreApplication() {}

    public static void main(String[] arguments) {
        try {
            var options = BackupOptions.parse(List.of(arguments), Path.of(System.getProperty("rookery.data", "data")));
            if (options.file() == null) {
                System.out.print(Program.resource(RestoreApplication.class, "restore-help.txt"));
            } else {
                restore(options, options.file());
            }
            System.exit(0);
        } catch (Complaint complaint) {
            BackupApplication.end("deploy/restore", complaint.getMessage(), complaint.exitValue());
        } catch (ServerException | TenantsRefusedException e) {
            BackupApplication.end("deploy/restore", e.getMessage(), Complaint.FAILURE);
        }
    }

    private static void restore(BackupOptions options, Path file) {
        long begunNanos = System.nanoTime();
        if (options.database == null) {
            var data = options.data.toAbsolutePath().normalize();
            var restored = toFolder(data, file);
            say(restored.result, begunNanos);
            System.out.println("start it with: " + start(data, restored.serverName, restored.tenants));
        } else {
            var superuser = options.superuser();
            var passwords = options.roles().passwordsByService();
            Migrations.createDatabase(superuser.named("postgres"), superuser.name());
            say(Restore.into(superuser, passwords, file), begunNanos);
            System.out.println(
                    "start the services with the same rookery.internal.key as before, and with these rookery.tenants: "
                            + TenantTables.united(superuser).text());
        }
    }

    private static void say(RestoreResult restored, long begunNanos) {
        var manifest = restored.manifest();
        System.out.printf(
                Locale.ROOT,
                "restored %d rows as of %s, written by version %s, in %.1f s%n",
                manifest.rows(),
                manifest.taken(),
                manifest.version(),
                (System.nanoTime() - begunNanos) / 1e9);
        restored.logs()
                .forEach((schema, log) -> System.out.printf(
                        "the %s log has %d entries and continues in epoch %d: clients with later tokens start with a full sync%n",
                        schema.equals("auth") ? "user" : "room", log.entries(), log.epoch()));
        restored.leftOut().forEach(table -> System.out.printf("%s is no table of Rookery and was left out%n", table));
    }

    /** Writes the file that marks a data folder last, so that an unfinished restore cannot be started. */
    private static RestoredFolder toFolder(Path data, Path file) {
        var secrets = Restore.text(file, BackupApplication.SECRETS);
        if (secrets == null) {
            throw Complaint.failure("%s is not the backup of a data folder: restore it to a PostgreSQL with --database"
                    .formatted(file));
        }
        requireEmpty(data);
        var binaries = binaries();
        Folders.make(data);
        try (var postgres = EmbeddedPostgres.start(
                data.resolve("pg"),
                binaries == null ? data.resolve("servers") : Path.of(binaries).toAbsolutePath())) {
            Migrations.createDatabase(postgres.superuser(), Servers.DATABASE);
            var restored = Restore.into(
                    postgres.superuser(Servers.DATABASE),
                    Installation.parse(secrets).passwordsByService(),
                    file);
            Restore.media(file, Folders.make(data.resolve(DataFolder.MEDIA)));
            var tenants = TenantTables.united(postgres.superuser(Servers.DATABASE));
            Folders.writeSecret(data.resolve(DataFolder.INSTALLATION), secrets);
            return new RestoredFolder(restored, Installation.parse(secrets).serverName(), tenants);
        }
    }

    /**
     * The result of a restore into a folder.
     *
     * @param serverName of the tenant for which the folder was made
     */
    private record RestoredFolder(RestoreResult result, String serverName, TenantRegister tenants) {}

    /** The command that starts the folder with all of its tenants. */
    static String start(Path data, String serverName, TenantRegister tenants) {
        return "deploy/run --data %s%s%s"
                .formatted(
                        quoted(data.toString()),
                        serverName.equals(Options.SERVER_NAME) ? "" : " --server-name " + serverName,
                        tenants.names().values().stream()
                                .filter(name -> !name.equals(serverName) && !name.equals(TenantRegister.NOBODY))
                                .map(name -> " --tenant " + name)
                                .collect(Collectors.joining()));
    }

    /** Quotes a word for a shell. */
    private static String quoted(String word) {
        return word.matches("[\\w/.,:@%+-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    private static void requireEmpty(Path data) {
        if (!Files.exists(data)) {
            return;
        }
        try (var entries = Files.list(data)) {
            if (entries.findAny().isPresent()) {
                throw Complaint.failure(
                        "%s is not empty: existing data are never overwritten, name another folder with --data"
                                .formatted(data));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static @Nullable String binaries() {
        return System.getProperty("rookery.binaries");
    }
}
