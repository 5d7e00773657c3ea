// SPDX-License-Identifier: Apache-2.0
package rookery.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import rookery.e2e.api.Http;
import rookery.e2e.api.Session;
import rookery.embedded.Database;

/**
 * Inserts accounts with access tokens directly into the database of a local Rookery: ten thousand registrations would measure
 * password hashing only.
 */
final class FilledAccounts {
    private static final int TENANT = 1;
    private static final String DEVICE = "BENCH";

    private static final String ACCOUNTS = """
            INSERT INTO auth.account (tenant, user_id, created_at)
            SELECT ?, ? || i || ?, now() FROM generate_series(1, ?) AS i
            """;

    private static final String DEVICES = """
            INSERT INTO auth.device (tenant, user_id, device_id, created_at)
            SELECT ?, ? || i || ?, ?, now() FROM generate_series(1, ?) AS i
            """;

    private static final String TOKENS = """
            INSERT INTO auth.access_token (token_hash, tenant, user_id, device_id, created_at)
            SELECT sha256((? || i)::bytea), ?, ? || i || ?, ?, now() FROM generate_series(1, ?) AS i
            """;

    private final Database database;

    FilledAccounts(Path data) throws IOException {
        this.database = DataFolderDatabase.of(data);
    }

    /** Makes new users of the same tenant as the given user. */
    List<Session> fill(Http http, Session neighbour, int number) throws IOException {
        var bytes = new byte[24];
        new SecureRandom().nextBytes(bytes);
        var secret = HexFormat.of().formatHex(bytes) + "-";
        var prefix = "@bench-" + secret.substring(0, 8) + "-";
        var domain = neighbour.userId().substring(neighbour.userId().indexOf(':'));
        try {
            run(ACCOUNTS, TENANT, prefix, domain, number);
            run(DEVICES, TENANT, prefix, domain, DEVICE, number);
            run(TOKENS, secret, TENANT, prefix, domain, DEVICE, number);
        } catch (SQLException e) {
            throw new IOException("accounts could not be filled in: " + e.getMessage(), e);
        }
        return IntStream.rangeClosed(1, number)
                .mapToObj(i -> Session.known(http, prefix + i + domain, DEVICE, secret + i))
                .toList();
    }

    /** The bytes on disk of room-service's tables, with indexes and TOAST tables. */
    List<TableSize> roomTables() throws IOException {
        var sql = """
                SELECT c.relname, pg_table_size(c.oid), pg_indexes_size(c.oid) FROM pg_class c
                  JOIN pg_namespace n ON n.oid = c.relnamespace
                 WHERE n.nspname = 'room' AND c.relkind = 'r' ORDER BY c.relname
                """;
        try (var connection = database.connect();
                var statement = connection.createStatement();
                var rows = statement.executeQuery(sql)) {
            var sizes = new ArrayList<TableSize>();
            while (rows.next()) {
                sizes.add(new TableSize(rows.getString(1), rows.getLong(2), rows.getLong(3)));
            }
            return sizes;
        } catch (SQLException e) {
            throw new IOException("sizes could not be read: " + e.getMessage(), e);
        }
    }

    record TableSize(String table, long heapBytes, long indexBytes) {}

    private void run(String sql, Object... values) throws SQLException {
        try (var connection = database.connect();
                var statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            statement.executeUpdate();
        }
    }
}
