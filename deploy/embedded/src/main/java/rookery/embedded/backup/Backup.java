// SPDX-License-Identifier: Apache-2.0
package rookery.embedded.backup;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.Map;
import java.util.Properties;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import rookery.embedded.Database;
import rookery.embedded.Folders;
import rookery.embedded.Migrations;
import rookery.embedded.ServerException;
import rookery.embedded.backup.Manifest.LogHeads;
import rookery.embedded.backup.Manifest.Table;

/**
 * Writes a consistent snapshot of all services' schemas into a file, while the services run.
 *
 * <p>The file is a zip: {@code tables/SCHEMA.TABLE} with the lines of PostgreSQL's COPY, further files unchanged, and {@code
 * manifest.properties} as the last entry. Table definitions are left out: the manifest names the migrations to run. Uploaded
 * files are below {@code media} when the backup includes them ({@link MediaFolder}).
 */
public final class Backup {
    static final String TABLES = "tables/";

    private static final String POM = "/META-INF/maven/rookery/embedded/pom.properties";

    private static final String MIGRATIONS = """
            SELECT version, checksum FROM SCHEMA.flyway_schema_history WHERE success AND version IS NOT NULL AND checksum IS NOT NULL
            """;

    private static final String IS_THERE = "SELECT to_regclass(?) IS NOT NULL";
    private static final String HEADS = "SELECT epoch, pos FROM SCHEMA.shard ORDER BY shard";

    private Backup() {}

    /**
     * Writes the file, readable by its owner only. The name appears when the file is complete.
     *
     * @param superuser access to the services' database
     * @param further files that a restore needs, by their names in the backup, such as {@code secrets/rookery.properties}
     */
    public static Manifest write(Database superuser, Path file, Map<String, String> further) {
        return write(superuser, file, further, null);
    }

    /**
     * Writes a backup with the uploaded files.
     *
     * @param media room-service's folder of uploaded files; null to leave them out
     */
    public static Manifest write(Database superuser, Path file, Map<String, String> further, @Nullable Path media) {
        var draft = file.resolveSibling(file.getFileName() + ".part");
        try {
            Files.deleteIfExists(draft);
            Files.createFile(draft, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Manifest manifest;
            try (var connection = superuser.connect();
                    var zip = new ZipOutputStream(Files.newOutputStream(draft))) {
                manifest = write(connection, zip);
                for (var each : further.entrySet()) {
                    text(zip, each.getKey(), each.getValue());
                }
                if (media != null) {
                    MediaFolder.write(media, zip);
                }
                text(zip, Manifest.ENTRY, manifest.text());
            }
            Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
            return manifest;
        } catch (IOException | SQLException e) {
            Folders.delete(draft);
            throw new ServerException("the backup %s cannot be written: %s".formatted(file, e.getMessage()), e);
        }
    }

    /** Locks all tables against migrations, so that the tables match the catalog. */
    private static Manifest write(Connection connection, ZipOutputStream zip) throws SQLException, IOException {
        var tables = Tables.columns(connection);
        if (tables.isEmpty()) {
            throw new ServerException("there is nothing to back up: the database has no schema of Rookery");
        }
        connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        connection.setReadOnly(true);
        connection.setAutoCommit(false);
        try (var statement = connection.createStatement()) {
            statement.execute("LOCK TABLE %s IN ACCESS SHARE MODE".formatted(String.join(", ", tables.keySet())));
        }
        if (!Tables.columns(connection).equals(tables)) {
            throw new ServerException("the schemas are being migrated: try again when the new version runs");
        }
        var manifest = new Manifest(
                version(), Clock.systemUTC().instant(), migrations(connection), heads(connection), new TreeMap<>());
        for (var table : tables.entrySet()) {
            manifest.tables().put(table.getKey(), copy(connection, zip, table.getKey(), table.getValue()));
        }
        connection.rollback();
        return manifest;
    }

    private static Table copy(Connection connection, ZipOutputStream zip, String table, String columns)
            throws SQLException, IOException {
        zip.putNextEntry(new ZipEntry(TABLES + table));
        var digest = sha256();
        var lines = new DigestOutputStream(new NonClosingStream(zip), digest);
        long rows = connection
                .unwrap(PGConnection.class)
                .getCopyAPI()
                .copyOut("COPY (SELECT %s FROM %s) TO STDOUT".formatted(columns, table), lines);
        zip.closeEntry();
        return new Table(rows, HexFormat.of().formatHex(digest.digest()), columns);
    }

    private static SortedMap<String, SortedMap<String, Integer>> migrations(Connection connection) throws SQLException {
        var result = new TreeMap<String, SortedMap<String, Integer>>();
        for (var service : Migrations.SERVICES) {
            String schema = Migrations.role(service);
            if (isThere(connection, schema + ".flyway_schema_history")) {
                var checksums = new TreeMap<String, Integer>();
                try (var statement = connection.createStatement();
                        var rows = statement.executeQuery(MIGRATIONS.replace("SCHEMA", schema))) {
                    while (rows.next()) {
                        checksums.put(rows.getString(1), rows.getInt(2));
                    }
                }
                result.put(service, checksums);
            }
        }
        return result;
    }

    private static SortedMap<String, LogHeads> heads(Connection connection) throws SQLException {
        var result = new TreeMap<String, LogHeads>();
        for (String schema : Restore.LOGS) {
            if (isThere(connection, schema + ".shard")) {
                result.put(schema, heads(connection, schema));
            }
        }
        return result;
    }

    static LogHeads heads(Connection connection, String schema) throws SQLException {
        long epoch = 0;
        var positions = new ArrayList<Long>();
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery(HEADS.replace("SCHEMA", schema))) {
            while (rows.next()) {
                epoch = rows.getLong(1);
                positions.add(rows.getLong(2));
            }
        }
        return new LogHeads(epoch, positions);
    }

    private static boolean isThere(Connection connection, String table) throws SQLException {
        try (var query = connection.prepareStatement(IS_THERE)) {
            query.setString(1, table);
            try (var rows = query.executeQuery()) {
                return rows.next() && rows.getBoolean(1);
            }
        }
    }

    private static void text(ZipOutputStream zip, String name, String text) throws IOException {
        zip.putNextEntry(new ZipEntry(name));
        zip.write(text.getBytes(StandardCharsets.UTF_8));
        zip.closeEntry();
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The version of Rookery; {@code unknown} outside of the jars. */
    private static String version() throws IOException {
        try (InputStream pom = Backup.class.getResourceAsStream(POM)) {
            var properties = new Properties();
            if (pom != null) {
                properties.load(pom);
            }
            return properties.getProperty("version", "unknown");
        }
    }

    /** Keeps the zip open when the writer of an entry closes its stream. */
    private static final class NonClosingStream extends FilterOutputStream {
        NonClosingStream(OutputStream out) {
            super(out);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            out.write(bytes, from, length);
        }

        @Override
        public void close() throws IOException {
            flush();
        }
    }
}
