// SPDX-License-Identifier: Apache-2.0
package rookery.push.unread;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import rookery.embedded.Database;
import rookery.embedded.TestServers;
import rookery.model.id.Shards;
import rookery.push.PushNode;
import rookery.push.PushNode.Answer;
import rookery.push.PushNode.UserDevice;
import rookery.testing.SetClock;

/** The endpoint for sync nodes, and the cleaning of old rows (design.md 4, 5). */
class CountsOverHttpIT {
    private static final long DAY = Duration.ofDays(1).toMillis();
    private static final SetClock CLOCK = new SetClock();
    private static final Database DATABASE = TestServers.database("push-service");
    private static final String EVERYTHING = upto(1_000);
    private static PushNode node;

    @BeforeAll
    static void start() {
        DATABASE.execute(
                "UPDATE push.follow SET epoch = 3, pos = 500 WHERE log = 'room-log'",
                "INSERT INTO push.member VALUES (1,'!r:one.example','@bob:one.example',0,5,'Bob',0,5,false,false),"
                        + "(1,'!q:one.example','@bob:one.example',0,5,'Bob',0,5,false,false)");
        addException("@bob:one.example", 10, "main", false);
        addException("@bob:one.example", 11, "main", true);
        addException("@bob:one.example", 12, "$root", false);
        addException("@eve:one.example", 13, "main", false);
        node = new PushNode(DATABASE, CLOCK);
    }

    @AfterAll
    static void stop() {
        node.close();
    }

    /** An exception to the verdict of the user's cohort that notifies. */
    private static void addException(String user, int pos, String thread, boolean highlight) {
        addException(user, pos, thread, highlight, CLOCK.millis());
    }

    private static void addException(String user, int pos, String thread, boolean highlight, long ts) {
        DATABASE.execute("""
                INSERT INTO push.exception VALUES
                (1,'%1$s','!r:one.example',%2$d,0,'%3$s','$e%2$d','@ada:one.example',%4$d,'["notify"]',true,%5$s,1,%6$d)
                """.formatted(user, pos, thread, ts, highlight, highlight ? 1 : 0));
    }

    private static String upto(long pos) {
        return Collections.nCopies(Shards.COUNT, pos).toString();
    }

    private static Answer ask(int tenant, String rooms, String upto) {
        return node.internal("/counts", """
                {"tenant":%d,"user":"@bob:one.example","upto":%s,"rooms":%s}""".formatted(tenant, upto, rooms));
    }

    private static String rooms(Answer answer) {
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        return answer.body().path("rooms").toString();
    }

    @Test
    void countsAreAnsweredByRoomAndThread() {
        var all = ask(1, "null", EVERYTHING);
        assertThat(rooms(all)).isEqualTo("""
                [{"room_id":"!r:one.example","threads":{"$root":[1,0],"main":[2,1]}}]""");
        assertThat(all.body().path("epoch").longValue()).isEqualTo(3);
        assertThat(all.body().path("positions").toString().replace(" ", ""))
                .isEqualTo(upto(500).replace(" ", ""));
        assertThat(rooms(ask(1, "[{\"room_id\":\"!q:one.example\"}]", EVERYTHING)))
                .isEqualTo("[{\"room_id\":\"!q:one.example\",\"threads\":{}}]");
        assertThat(rooms(ask(1, "[]", EVERYTHING))).isEqualTo("[]");
        assertThat(rooms(ask(2, "null", EVERYTHING))).isEqualTo("[]");
    }

    @Test
    void askersSayHowFarAndWhatTheyKnow() {
        assertThat(rooms(ask(1, "null", upto(11)))).isEqualTo("""
                [{"room_id":"!r:one.example","threads":{"main":[2,1]}}]""");
        assertThat(rooms(ask(1, """
                [{"room_id":"!r:one.example","reads":[{"thread":"main","pos":10}],"redacted":[12]}]""", EVERYTHING))).isEqualTo("""
                [{"room_id":"!r:one.example","threads":{"main":[1,1]}}]""");
        assertThat(rooms(ask(1, """
                [{"room_id":"!r:one.example","reads":[{"pos":11}]}]""", EVERYTHING))).isEqualTo("""
                [{"room_id":"!r:one.example","threads":{"$root":[1,0]}}]""");
    }

    /** Auth-service answers a client's change of rules only after this endpoint has answered. */
    @Test
    void whetherThePlaceOfASettingIsReachedIsAnsweredOnceItIs() {
        int shard = Shards.of(UserDevice.of("bob").user());
        DATABASE.execute("UPDATE push.follow SET pos = 7 WHERE log = 'user-log' AND shard = " + shard);
        var ahead = CompletableFuture.supplyAsync(() -> reached(8));
        assertThat(reached(7).status()).isEqualTo(200);
        assertThat(ahead).isNotDone();
        DATABASE.execute("UPDATE push.follow SET pos = 9 WHERE log = 'user-log' AND shard = " + shard);
        assertThat(ahead.join().status()).isEqualTo(200);
    }

    private static Answer reached(long pos) {
        return node.internal("/user-log/reached", "{\"user\":\"@bob:one.example\",\"pos\":%d}".formatted(pos));
    }

    @Test
    void badQuestionsAreRefused() {
        assertThat(ask(1, "null", "[1,2]").errcode()).isEqualTo("M_INVALID_PARAM");
        assertThat(node.call(UserDevice.of("bob"), "POST", "/../../internal/counts", "{}")
                        .status())
                .isIn(401, 403, 404);
    }

    @Test
    void whatIsOldIsCleanedAwayWhenItIsRead() throws SQLException {
        var carl = "@carl:one.example";
        long now = CLOCK.millis();
        addException(carl, 20, "main", false, now - 31 * DAY);
        addException(carl, 21, "main", true, now - 60 * DAY);
        addException(carl, 22, "main", true, now - 91 * DAY);
        addException(carl, 23, "$root", false, now - 31 * DAY);
        addException(carl, 24, "$other", false, now - 31 * DAY);
        addException(carl, 25, "main", false, now - 29 * DAY);
        DATABASE.execute(
                "INSERT INTO push.cohort VALUES (1, 7, 'used'), (1, 8, 'unused'), (2, 7, 'unused')",
                "INSERT INTO push.room_cohort VALUES (1, '!r:one.example', 7, 1)",
                "INSERT INTO push.read_position VALUES (1, '%1$s', '!r:one.example', 'main', 30),".formatted(carl)
                        + "(1, '%1$s', '!r:one.example', '$root', 30), (2, '%1$s', '!r:one.example', '', 30)"
                                .formatted(carl));
        var left = "exception WHERE user_id = '" + carl + "'";
        node.bean(CountCleaner.class).clean().block(Duration.ofSeconds(20));
        assertThat(rows(left)).isEqualTo(3);
        assertThat(rows("cohort")).isEqualTo(1);
        assertThat(rows(left + " AND pos IN (21, 24, 25)")).isEqualTo(3);
        assertThat(rows("cohort WHERE tenant = 1 AND id = 7")).isEqualTo(1);
        assertThat(rows("exception WHERE user_id = '@bob:one.example'")).isEqualTo(3);
    }

    private static long rows(String table) throws SQLException {
        return RecountIT.rows(DATABASE, table);
    }
}
