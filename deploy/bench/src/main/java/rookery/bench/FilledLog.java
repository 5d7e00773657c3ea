// SPDX-License-Identifier: Apache-2.0
package rookery.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;

/** Inserts meaningless entries directly into the room log of a local Rookery. */
final class FilledLog {
    private static final String ENTRIES = """
            INSERT INTO room.log_entry (shard, pos, kind, unit_end, tenant, created_ms, body)
            SELECT shard, pos + i, 'bench', true, 1, 0, repeat('x', 500)
              FROM room.shard, generate_series(1, ?) AS i
            """;

    private static final String POSITIONS = """
            UPDATE room.shard SET pos = pos + ?
            """;

    private FilledLog() {}

    /** Appends entries to each shard. */
    static void append(Path data, int eachShard) throws IOException {
        try (var connection = DataFolderDatabase.of(data).connect()) {
            connection.setAutoCommit(false);
            try (var lock = connection.prepareStatement("SELECT 1 FROM room.shard ORDER BY shard FOR UPDATE");
                    var entries = connection.prepareStatement(ENTRIES);
                    var positions = connection.prepareStatement(POSITIONS)) {
                lock.execute();
                entries.setInt(1, eachShard);
                entries.executeUpdate();
                positions.setInt(1, eachShard);
                positions.executeUpdate();
            }
            connection.commit();
        } catch (SQLException e) {
            throw new IOException("entries could not be filled in: " + e.getMessage(), e);
        }
    }
}
