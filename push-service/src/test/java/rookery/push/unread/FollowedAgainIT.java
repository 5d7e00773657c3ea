// SPDX-License-Identifier: Apache-2.0
package rookery.push.unread;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import rookery.embedded.Database;
import rookery.embedded.TestServers;
import rookery.model.topic.LogRecord;
import rookery.platform.log.append.EarlierEpochs;
import rookery.push.unread.FedCounter.LogText;

/** After a restore the log is followed from its beginning, with the same counts as before (design.md 2). */
class FollowedAgainIT {
    private final TwoTenantWorld town = new TwoTenantWorld(23);
    private final Database database = TestServers.database("push-service");

    /** Rules precede the events that they judge; otherwise events would be judged by later rules. */
    private void live(FedCounter counting) {
        for (int i = 0; i < 60; i++) {
            town.changes();
        }
        counting.followUsers(town.random, 5);
        for (int i = 0; i < 900; i++) {
            town.happens();
        }
        counting.followRooms(town.random, 40);
        RecountIT.check(town, counting, 0);
    }

    private static void beginAnew(LogText log) {
        log.epoch++;
        for (var shard : log.shards) {
            shard.replaceAll(entry -> new LogRecord(
                    entry.shard(),
                    log.epoch,
                    entry.pos(),
                    entry.kind(),
                    entry.unitEnd(),
                    entry.tenant(),
                    entry.room(),
                    entry.subject(),
                    entry.body()));
        }
    }

    private long rows(String table) throws SQLException {
        return RecountIT.rows(database, table);
    }

    @Test
    void roomLog() throws SQLException {
        try (var counting = new FedCounter(database, town.roomLog, town.userLog)) {
            live(counting);
        }
        beginAnew(town.roomLog);
        try (var counting = new FedCounter(database, town.roomLog, town.userLog)) {
            for (var table : List.of(
                    "member",
                    "room_cohort",
                    "member_past",
                    "noted",
                    "thread_head",
                    "exception",
                    "read_position",
                    "room")) {
                assertThat(rows(table)).as(table).isZero();
            }
            assertThat(rows("reader WHERE rules IS NOT NULL")).isPositive();
            counting.followRooms(town.random, 40);
            RecountIT.check(town, counting, 1);
            goOn(counting);
        }
    }

    @Test
    void promotionThatHasAllOfItDropsNothing() throws SQLException {
        try (var counting = new FedCounter(database, town.roomLog, town.userLog)) {
            live(counting);
        }
        long members = rows("member");
        for (var log : List.of(town.roomLog, town.userLog)) {
            log.earlier =
                    new EarlierEpochs(Map.of(log.epoch, log.state().heads().positions()));
            beginAnew(log);
        }
        try (var counting = new FedCounter(database, town.roomLog, town.userLog)) {
            assertThat(rows("member")).isEqualTo(members).isPositive();
            goOn(counting);
        }
    }

    @Test
    void userLog() throws SQLException {
        try (var counting = new FedCounter(database, town.roomLog, town.userLog)) {
            live(counting);
        }
        beginAnew(town.userLog);
        try (var counting = new FedCounter(database, town.roomLog, town.userLog)) {
            for (var table : List.of(
                    "rule_term", "ignored", "reader WHERE rules IS NOT NULL", "member WHERE cohort <> 0 OR always")) {
                assertThat(rows(table)).as(table).isZero();
            }
            counting.followUsers(town.random, 5);
            assertThat(rows("reader WHERE rules IS NOT NULL")).isPositive();
            RecountIT.check(town, counting, 1);
            goOn(counting);
        }
    }

    private void goOn(FedCounter counting) {
        for (int i = 0; i < 300; i++) {
            town.happens();
        }
        counting.followRooms(town.random, 40);
        RecountIT.check(town, counting, 2);
    }
}
