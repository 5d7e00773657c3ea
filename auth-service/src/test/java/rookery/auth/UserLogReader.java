// SPDX-License-Identifier: Apache-2.0
package rookery.auth;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import rookery.model.id.Shards;
import rookery.model.id.UserId;
import rookery.model.topic.DeviceLogRecord;
import rookery.platform.log.text.DeviceLogText;

/** The device entries in a user's log. */
public record UserLogReader(AuthServer server, UserId user) {
    private static final String AFTER =
            "SELECT kind, body FROM auth.log WHERE shard = ? AND subject = ? AND pos > ? ORDER BY pos";

    public static UserLogReader of(AuthServer server, String user) {
        return new UserLogReader(server, new UserId(user));
    }

    /** The end of the user's shard. */
    public long head() {
        return server.count("SELECT pos::int FROM auth.shard WHERE shard = " + Shards.of(user));
    }

    /** The entries after a position, in order. */
    public List<DeviceLogRecord> after(long pos) {
        try (var connection = server.database().connect();
                var query = connection.prepareStatement(AFTER)) {
            query.setInt(1, Shards.of(user));
            query.setString(2, user.value());
            query.setLong(3, pos);
            var records = new ArrayList<DeviceLogRecord>();
            try (var rows = query.executeQuery()) {
                while (rows.next()) {
                    var record = DeviceLogText.read(rows.getString(1), rows.getString(2));
                    if (record != null) {
                        records.add(record);
                    }
                }
            }
            return records;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
