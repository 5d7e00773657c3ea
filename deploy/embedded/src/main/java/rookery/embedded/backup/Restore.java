// SPDX-License-Identifier: Apache-2.0
package rookery.embedded.backup;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import rookery.embedded.Database;
import rookery.embedded.Migrations;
import rookery.embedded.ServerException;
import rookery.embedded.backup.Manifest.LogHeads;
import rookery.embedded.backup.Manifest.Table;

/**
 * Restores a backup into an empty database and migrates the data to this version. Both logs continue in new epochs that begin at
 * the end of the backup: clients with tokens up to that position continue, clients with later tokens start with a full sync
 * (design.md 12, Lost commits).
 */
public final class Restore {
    /** The schemas with a log. */
    static final List<String> LOGS = List.of("auth", "room");

    /** Marks the database as changed, so that services started on an unfinished restore notice. */
    private static final String FORGET_ORIGIN = "UPDATE SCHEMA.origin SET system = 0, timeline = ''";

    /** Locked until the connection ends; no other code uses the number. */
    private static final String ALONE = "SELECT pg_try_advisory_lock(7267330515231)";

    /** A separate statement, so that the next statement sees the commits of the previous lock owners. */
    private static final String LOCK = "SELECT 1 FROM SCHEMA.shard ORDER BY shard FOR UPDATE";

    /** As in LogEpochs of common-model; epochs unknown to the backup are below the current time. */
    private static final String RAISE = """
            WITH before AS (SELECT max(epoch) AS epoch FROM SCHEMA.shard),
                 raised AS (UPDATE SCHEMA.shard s SET epoch = greatest(b.epoch + 1, floor(extract(epoch FROM now()))::bigint)
                              FROM before b RETURNING s.shard, s.epoch, s.pos, b.epoch AS previous),
                 begun AS (INSERT INTO SCHEMA.epoch (epoch, shard, began_at, previous)
                           SELECT epoch, shard, pos, previous FROM raised)
            UPDATE SCHEMA.origin SET system = c.system_identifier,
                                   timeline = substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)
              FROM pg_control_system() c
            """;

    /**
     * Keys claimed after the backup must not be given out again, and the backup does not know them: all one-time keys count as
     * claimed. Their devices see a count of zero and upload new keys.
     */
    private static final String RETIRE_KEYS = """
            WITH retired AS (UPDATE auth.one_time_key SET claimed_at = now() WHERE claimed_at IS NULL
                          RETURNING tenant, user_id, device_id)
            INSERT INTO auth.key_count_due (tenant, user_id, device_id)
            SELECT DISTINCT tenant, user_id, device_id FROM retired
            """;

    private final Database superuser;
    private final Map<String, String> passwords;
    private final ZipFile zip;
    private final Manifest manifest;

    private Restore(Database superuser, Map<String, String> passwords, ZipFile zip, Manifest manifest) {
        this.superuser = superuser;
        this.passwords = passwords;
        this.zip = zip;
        this.manifest = manifest;
    }

    /**
     * The result of a restore.
     *
     * @param logs the new epochs and heads, by schema
     * @param leftOut tables of the backup that are not made by Rookery's migrations
     */
    public record RestoreResult(Manifest manifest, SortedMap<String, LogHeads> logs, List<String> leftOut) {}

    /**
     * Refuses, without a change, a database that is not empty and a backup of a newer version.
     *
     * @param superuser access to the existing database
     * @param passwords for the roles, by service
     */
    public static RestoreResult into(Database superuser, Map<String, String> passwords, Path file) {
        try (var zip = open(file)) {
            return new Restore(superuser, passwords, zip, manifest(file, zip)).restored();
        } catch (IOException | SQLException e) {
            throw new ServerException(
                    "the backup %s cannot be restored: %s; make the database anew before you try again"
                            .formatted(file, e.getMessage()),
                    e);
        }
    }

    /** Reads the manifest of a backup. */
    public static Manifest manifest(Path file) {
        try (var zip = open(file)) {
            return manifest(file, zip);
        } catch (IOException e) {
            throw notOurs(file, e);
        }
    }

    /** A further file of the backup; null when the name is missing. */
    public static @Nullable String text(Path file, String name) {
        try (var zip = open(file)) {
            return text(zip, name);
        } catch (IOException e) {
            throw notOurs(file, e);
        }
    }

    /** Extracts the uploaded files of the backup into the folder. Returns their number. */
    public static int media(Path file, Path folder) {
        try (var zip = open(file)) {
            return MediaFolder.restore(zip, folder);
        } catch (IOException e) {
            throw notOurs(file, e);
        }
    }

    private static ZipFile open(Path file) {
        if (!Files.exists(file)) {
            throw new ServerException("there is no file " + file);
        }
        try {
            return new ZipFile(file.toFile());
        } catch (IOException e) {
            throw notOurs(file, e);
        }
    }

    private static Manifest manifest(Path file, ZipFile zip) throws IOException {
        var text = text(zip, Manifest.ENTRY);
        if (text == null) {
            throw notOurs(file, null);
        }
        return Manifest.parse(text);
    }

    private static @Nullable String text(ZipFile zip, String name) throws IOException {
        var entry = zip.getEntry(name);
        return entry == null ? null : new String(zip.getInputStream(entry).readAllBytes(), StandardCharsets.UTF_8);
    }

    private static ServerException notOurs(Path file, @Nullable IOException cause) {
        var message = "%s is no whole backup of Rookery".formatted(file);
        return cause == null
                ? new ServerException(message)
                : new ServerException("%s: %s".formatted(message, cause.getMessage()), cause);
    }

    /** Refuses a second restore into the same database at the same time. */
    private RestoreResult restored() throws SQLException, IOException {
        try (var alone = superuser.connect();
                var statement = alone.createStatement();
                var rows = statement.executeQuery(ALONE)) {
            if (!rows.next() || !rows.getBoolean(1)) {
                throw new ServerException("another restore into %s is in progress".formatted(superuser));
            }
            return restoredAlone();
        }
    }

    private RestoreResult restoredAlone() throws SQLException, IOException {
        try (var connection = superuser.connect()) {
            var existing = Tables.columns(connection).keySet();
            if (!existing.isEmpty()) {
                throw new ServerException("%s is not empty, it contains %s: existing data are never overwritten"
                        .formatted(superuser, existing.iterator().next()));
            }
        }
        Migrations.applyUpTo(superuser, passwords, manifest.migrations());
        List<String> leftOut;
        try (var connection = superuser.connect()) {
            connection.setAutoCommit(false);
            leftOut = load(connection);
            connection.commit();
        }
        Migrations.apply(superuser, passwords);
        superuser.execute(RETIRE_KEYS);
        var logs = raiseEpochs(superuser);
        superuser.execute("ANALYZE");
        return new RestoreResult(manifest, logs, leftOut);
    }

    /**
     * Raises the epochs of both logs; everything up to the current heads stays valid. Services may run meanwhile.
     *
     * @return the new epochs and heads, by schema
     */
    public static SortedMap<String, LogHeads> raiseEpochs(Database superuser) {
        try (var connection = superuser.connect()) {
            connection.setAutoCommit(false);
            var logs = new TreeMap<String, LogHeads>();
            for (String schema : LOGS) {
                execute(connection, LOCK.replace("SCHEMA", schema));
                execute(connection, RAISE.replace("SCHEMA", schema));
                logs.put(schema, Backup.heads(connection, schema));
            }
            connection.commit();
            return logs;
        } catch (SQLException e) {
            throw new ServerException("the epochs cannot be raised: " + e.getMessage(), e);
        }
    }

    private List<String> load(Connection connection) throws SQLException, IOException {
        var existing = Tables.columns(connection).keySet();
        execute(connection, "TRUNCATE " + String.join(", ", existing)); // rows that the migrations inserted
        for (var table : Tables.inOrder(connection, existing)) {
            var content = manifest.tables().get(table);
            if (content == null) {
                throw new ServerException("the backup is damaged: it does not have the table " + table);
            }
            load(connection, table, content);
        }
        Tables.setIdentities(connection);
        for (String schema : LOGS) {
            var now = Backup.heads(connection, schema);
            if (!now.equals(manifest.heads().get(schema))) {
                throw new ServerException("the backup is damaged: its log %s ends at %s, and not at %s"
                        .formatted(schema, now, manifest.heads().get(schema)));
            }
            execute(connection, FORGET_ORIGIN.replace("SCHEMA", schema));
        }
        var leftOut = new TreeSet<>(manifest.tables().keySet());
        leftOut.removeAll(existing);
        return List.copyOf(leftOut);
    }

    private void load(Connection connection, String name, Table table) throws SQLException, IOException {
        var entry = zip.getEntry(Backup.TABLES + name);
        if (entry == null) {
            throw new ServerException("the backup is damaged: %s is missing".formatted(name));
        }
        var digest = Backup.sha256();
        long rows;
        try (InputStream lines = new DigestInputStream(zip.getInputStream(entry), digest)) {
            rows = connection
                    .unwrap(PGConnection.class)
                    .getCopyAPI()
                    .copyIn("COPY %s (%s) FROM STDIN".formatted(name, table.columns()), lines);
        }
        if (rows != table.rows() || !HexFormat.of().formatHex(digest.digest()).equals(table.sha256())) {
            throw new ServerException("the backup is damaged: %s is not what was written".formatted(name));
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(Objects.requireNonNull(sql));
        }
    }
}
