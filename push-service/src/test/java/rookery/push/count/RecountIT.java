package rookery.push.count;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import rookery.embedded.Database;
import rookery.embedded.TestServers;
import rookery.platform.log.Shards;

/** Counts are what a recount by brute force finds, whatever happens (DESIGN.md 10, promise 5). */
class RecountIT {
    private static final List<Long> NOW = Arrays.asList(new Long[Shards.COUNT]);

    static {
        NOW.replaceAll(_ -> Long.MAX_VALUE);
    }

    @Test
    void countsAreThoseOfARecount() throws SQLException {
        var town = new Town(7);
        var database = TestServers.database("push-service");
        try (var counting = new Feeding(database, town.roomLog, town.userLog)) {
            for (int round = 0; round < 80; round++) {
                for (int i = 0; i < 120; i++) {
                    town.happens();
                }
                counting.followRooms(town.random, 40);
                if (round % 4 == 0) {
                    check(town, counting, round);
                }
                for (int i = 0; i < 4; i++) {
                    town.changes();
                }
                counting.followUsers(town.random, 3);
            }
            check(town, counting, 80);
        }
        assertThat(town.recount.cases).isGreaterThan(100_000);
        // everything that the design has was needed
        assertThat(rows(database, "cohort")).isGreaterThan(10);
        assertThat(rows(database, "member_past")).isGreaterThan(10);
        assertThat(rows(database, "exception WHERE n_delta < 0")).isGreaterThan(50);
        assertThat(rows(database, "exception WHERE n_delta > 0")).isGreaterThan(50);
        assertThat(rows(database, "noted WHERE withdrawn")).isGreaterThan(50);
        assertThat(rows(database, "noted WHERE thread <> 'main'")).isGreaterThan(50);
        assertThat(rows(database, "read_position")).isGreaterThan(50);
        assertThat(rows(database, "ignored")).isGreaterThan(10);
    }

    static long rows(Database database, String table) throws SQLException {
        try (var connection = database.connect();
                var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT count(*) FROM push." + table)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    static void check(Town town, Feeding counting, int round) {
        var unread = counting.bean(Unread.class);
        for (var who : Town.everybody()) {
            assertThat(shown(counting.now(unread.of(who, NOW, null))))
                    .as("round %d, %s", round, who)
                    .isEqualTo(town.recount.counts(who));
        }
    }

    static Map<String, Map<String, List<Long>>> shown(Unread.Counts counts) {
        var shown = new TreeMap<String, Map<String, List<Long>>>();
        counts.rooms().forEach((room, threads) -> {
            var byThread = new TreeMap<String, List<Long>>();
            threads.forEach((thread, tally) -> byThread.put(thread, List.of(tally.n(), tally.h())));
            shown.put(room.value(), byThread);
        });
        return shown;
    }
}
