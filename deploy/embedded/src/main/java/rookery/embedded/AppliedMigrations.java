// SPDX-License-Identifier: Apache-2.0
package rookery.embedded;

import java.io.IOException;
import java.net.JarURLConnection;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A summary of the applied migrations, in a table of the superuser. With it a start without new migrations needs two queries;
 * Flyway would take two seconds of CPU. Flyway runs whenever the summary is missing or differs.
 */
final class AppliedMigrations {
    private static final String CREATE = """
            CREATE TABLE IF NOT EXISTS public.applied_migrations (
                service     text PRIMARY KEY,
                fingerprint text NOT NULL,
                applied     bigint NOT NULL
            )
            """;
    private static final String IS_THERE = "SELECT to_regclass('public.applied_migrations') IS NOT NULL";
    private static final String READ = "SELECT service, fingerprint, applied FROM public.applied_migrations";
    private static final String WRITE = """
            INSERT INTO public.applied_migrations (service, fingerprint, applied) VALUES (?, ?, ?)
            ON CONFLICT (service) DO UPDATE SET fingerprint = excluded.fingerprint, applied = excluded.applied
            """;

    private AppliedMigrations() {}

    /** The services with the schema and the password of this version. */
    static Set<String> upToDate(Database superuser, Map<String, String> passwords) {
        try (var connection = superuser.connect()) {
            var services = new HashSet<String>();
            for (var note : read(connection).entrySet()) {
                var service = note.getKey();
                var password = passwords.get(service);
                if (password != null && note.getValue().equals(now(connection, service, password))) {
                    services.add(service);
                }
            }
            return services;
        } catch (SQLException e) {
            return Set.of();
        }
    }

    /** Records that the schemas of these services are up to date. */
    static void note(Database superuser, Map<String, String> passwords) {
        superuser.execute(CREATE);
        try (var connection = superuser.connect();
                var writing = connection.prepareStatement(WRITE)) {
            for (var service : passwords.keySet()) {
                var note = now(connection, service, passwords.getOrDefault(service, ""));
                if (note != null) {
                    writing.setString(1, service);
                    writing.setString(2, note.fingerprint());
                    writing.setLong(3, note.applied());
                    writing.executeUpdate();
                }
            }
        } catch (SQLException e) {
            throw new ServerException("what was migrated cannot be noted: " + e.getMessage(), e);
        }
    }

    private static Map<String, Note> read(Connection connection) throws SQLException {
        var notes = new HashMap<String, Note>();
        try (var statement = connection.createStatement()) {
            try (var rows = statement.executeQuery(IS_THERE)) {
                if (!rows.next() || !rows.getBoolean(1)) {
                    return notes;
                }
            }
            try (var rows = statement.executeQuery(READ)) {
                while (rows.next()) {
                    notes.put(rows.getString(1), new Note(rows.getString(2), rows.getLong(3)));
                }
            }
        }
        return notes;
    }

    private static @Nullable Note now(Connection connection, String service, String password) throws SQLException {
        var fingerprint = fingerprint(service, password);
        if (fingerprint == null) {
            return null;
        }
        var count = "SELECT count(*) FROM \"%s\".flyway_schema_history".formatted(Migrations.role(service));
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery(count)) {
            return rows.next() ? new Note(fingerprint, rows.getLong(1)) : null;
        }
    }

    /** A checksum of the service's migrations and password; null when the migrations are not in a jar. */
    private static @Nullable String fingerprint(String service, String password) {
        var folder = AppliedMigrations.class.getClassLoader().getResource("db/migration/" + service);
        try {
            if (folder == null || !(folder.openConnection() instanceof JarURLConnection jar)) {
                return null;
            }
            var lines = new TreeSet<String>();
            lines.add("password " + password);
            jar.getJarFile().stream()
                    .filter(entry -> entry.getName().startsWith(jar.getEntryName()) && !entry.isDirectory())
                    .forEach(entry -> lines.add(entry.getName() + " " + entry.getCrc()));
            var checksum = new CRC32C();
            checksum.update(String.join("\n", lines).getBytes(StandardCharsets.UTF_8));
            return Long.toHexString(checksum.getValue());
        } catch (IOException e) {
            return null;
        }
    }

    private record Note(String fingerprint, long applied) {}
}
