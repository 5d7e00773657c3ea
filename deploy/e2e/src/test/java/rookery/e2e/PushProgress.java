// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import rookery.e2e.running.Rookery;
import rookery.embedded.Database;
import rookery.embedded.Deadline;

/** Whether push-service knows what is in the logs: the condition to wait for where it must not do something. */
final class PushProgress {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration PAUSE = Duration.ofMillis(50);

    /** The position up to which each shard must be followed: its last entry that push-service uses. */
    private static final String WANTED = """
            SELECT s.epoch, (SELECT coalesce(max(pos), 0) FROM %1$s.log e WHERE e.shard = s.shard AND (%2$s))
              FROM %1$s.shard s
             ORDER BY s.shard
            """;

    private static final String OF_ROOMS = "kind IN ('event', 'receipt')";
    private static final String OF_USERS = """
            kind IN ('account', 'session_ended') OR (kind = 'account_data' AND room_id IS NULL
                AND (body LIKE '{"type":"m.push_rules"%' OR body LIKE '{"type":"m.ignored_user_list"%'))
            """;

    private final Database push;
    private final Database rooms;
    private final Database users;

    PushProgress(Rookery rookery) {
        push = rookery.database("push-service");
        rooms = rookery.database("room-service");
        users = rookery.database("auth-service");
    }

    private record Head(long epoch, long pos) {
        boolean isBehind(Head other) {
            return epoch < other.epoch || (epoch == other.epoch && pos < other.pos);
        }
    }

    /** Waits until push-service has followed the logs up to their heads at this call. */
    void everything() throws SQLException {
        awaitFollowed("user-log", heads(users, WANTED.formatted("auth", OF_USERS)));
        awaitFollowed("room-log", heads(rooms, WANTED.formatted("room", OF_ROOMS)));
    }

    private void awaitFollowed(String log, List<Head> heads) {
        assertThat(Deadline.in(PATIENCE).until(PAUSE, () -> isFollowed(log, heads)))
                .as("%s is followed to %s", log, heads)
                .isTrue();
    }

    private boolean isFollowed(String log, List<Head> heads) {
        try {
            var now = heads(push, "SELECT epoch, pos FROM push.follow WHERE log = '%s' ORDER BY shard".formatted(log));
            for (int shard = 0; shard < heads.size(); shard++) {
                if (now.get(shard).isBehind(heads.get(shard))) {
                    return false;
                }
            }
            return true;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<Head> heads(Database database, String query) throws SQLException {
        try (var connection = database.connect();
                var statement = connection.createStatement();
                var rows = statement.executeQuery(query)) {
            var heads = new ArrayList<Head>();
            while (rows.next()) {
                heads.add(new Head(rows.getLong(1), rows.getLong(2)));
            }
            return heads;
        }
    }
}
