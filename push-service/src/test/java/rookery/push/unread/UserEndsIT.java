// SPDX-License-Identifier: Apache-2.0
package rookery.push.unread;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import rookery.embedded.Database;
import rookery.embedded.TestServers;
import rookery.model.id.DeviceId;
import rookery.model.id.Shards;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.model.topic.LogRecord;
import rookery.model.topic.UserLogRecord;
import rookery.model.topic.UserLogRecord.AccountChanged;
import rookery.model.topic.UserLogRecord.AccountState;
import rookery.model.topic.UserLogRecord.SessionEnded;
import rookery.platform.log.text.UserLogText;
import rookery.push.unread.FedCounter.LogText;

/** The effect of ended devices and accounts in the user log on pushers and pushes (contract.md 12.6, 14). */
class UserEndsIT {
    private static final TenantId TENANT = new TenantId(1);
    private static final TenantId OTHER = new TenantId(2);
    private static final UserId BOB = new UserId("@bob:one.example");
    private static final UserId EVE = new UserId("@eve:one.example");
    private static final String PUSHERS =
            "SELECT tenant || ' ' || user_id || ' ' || device_id FROM push.pusher ORDER BY tenant, user_id, device_id";
    private static final String UNITS =
            "SELECT tenant || ' ' || user_id || ' ' || outcome FROM push.unit ORDER BY tenant, user_id, id";
    private static final String PAUSES =
            "SELECT tenant || ' ' || user_id || ' ' || (resumed_at IS NOT NULL) FROM push.pause ORDER BY tenant, user_id";
    private static final String FLAGS =
            "SELECT user_id || ' ' || pushers FROM push.%s WHERE tenant = 1 ORDER BY user_id";

    private final LogText userLog = new LogText();
    private final Database database = TestServers.database("push-service");
    private FedCounter counting = new FedCounter(database, new LogText(), userLog);

    @BeforeEach
    void setPushers() {
        database.execute("DELETE FROM push.pusher", "DELETE FROM push.unit", "DELETE FROM push.pause");
        for (var tenant : List.of(TENANT, OTHER)) {
            pusher(tenant, BOB, "D1");
            pusher(tenant, BOB, "D2");
            pusher(tenant, EVE, "D1");
        }
    }

    @AfterEach
    void stop() {
        counting.close();
    }

    private void pusher(TenantId tenant, UserId user, String device) {
        database.execute("""
                INSERT INTO push.pusher (tenant, user_id, app_id, pushkey, device_id, url, gateway, described, created_at, set_at)
                VALUES (%1$d, '%2$s', 'app', '%3$s', '%3$s', 'http://gateway/', 'http://gateway', '{}', now(), now())
                """.formatted(tenant.value(), user.value(), device), """
                INSERT INTO push.unit (tenant, pusher, event_id, room_id, pos, user_id, app_id, pushkey_hash, gateway, tweaks,
                                       user_is_target, coalesces, created_at, due_at)
                SELECT tenant, id, '$e', '!r', 1, user_id, app_id, '', gateway, '{}', false, false, now(), now()
                  FROM push.pusher WHERE tenant = %d AND user_id = '%s' AND device_id = '%s'
                """.formatted(
                        tenant.value(), user.value(), device));
        database.execute(
                "INSERT INTO push.reader (tenant, user_id, pushers) VALUES (%d, '%s', true) ON CONFLICT DO NOTHING"
                        .formatted(tenant.value(), user.value()));
    }

    private void happens(UserLogRecord... all) {
        for (var record : all) {
            int shard = Shards.of(BOB);
            userLog.append(new LogRecord(
                    shard,
                    userLog.epoch,
                    userLog.next(shard),
                    UserLogText.kind(record),
                    true,
                    TENANT,
                    null,
                    BOB,
                    UserLogText.write(record)));
        }
        counting.followUsers(new Random(1), 1000);
    }

    @Test
    void endOfADeviceEndsItsPushers() {
        happens(new SessionEnded(new DeviceId("D1")));
        assertThat(database.texts(PUSHERS))
                .containsExactly(
                        "1 @bob:one.example D2",
                        "1 @eve:one.example D1",
                        "2 @bob:one.example D1",
                        "2 @bob:one.example D2",
                        "2 @eve:one.example D1");
        assertThat(database.texts(FLAGS.formatted("reader")))
                .containsExactly("@bob:one.example true", "@eve:one.example true");
        happens(new SessionEnded(new DeviceId("D1")), new SessionEnded(new DeviceId("D2")));
        assertThat(database.texts(PUSHERS)).hasSize(4).noneMatch(row -> row.startsWith("1 @bob"));
        assertThat(database.texts(FLAGS.formatted("reader")))
                .containsExactly("@bob:one.example false", "@eve:one.example true");
    }

    @Test
    void blockedAccountIsPushedNothingUntilItIsActive() {
        happens(new AccountChanged(AccountState.BLOCKED));
        assertThat(database.texts(PUSHERS)).hasSize(6);
        assertThat(database.texts(PAUSES)).containsExactly("1 @bob:one.example false");
        assertThat(database.texts(UNITS))
                .containsExactly(
                        "1 @bob:one.example superseded",
                        "1 @bob:one.example superseded",
                        "1 @eve:one.example pending",
                        "2 @bob:one.example pending",
                        "2 @bob:one.example pending",
                        "2 @eve:one.example pending");
        happens(new AccountChanged(AccountState.ACTIVE));
        assertThat(database.texts(PAUSES)).containsExactly("1 @bob:one.example true");
        happens(new AccountChanged(AccountState.ACTIVE), new AccountChanged(AccountState.BLOCKED));
        assertThat(database.texts(PAUSES)).containsExactly("1 @bob:one.example false");
    }

    @Test
    void endOfAnAccountEndsItsPushersAndLeavesNothing() {
        happens(new AccountChanged(AccountState.BLOCKED));
        happens(new SessionEnded(new DeviceId("D2")), new AccountChanged(AccountState.ENDED));
        assertThat(database.texts(PUSHERS)).hasSize(4).noneMatch(row -> row.startsWith("1 @bob"));
        assertThat(database.texts(PAUSES)).isEmpty();
        assertThat(database.texts(FLAGS.formatted("reader"))).containsExactly("@eve:one.example true");
    }

    /** A restored user log without the block ends the pause. */
    @Test
    void pauseThatTheLogSaysNothingOfAfterARestoreIsOver() {
        happens(new AccountChanged(AccountState.BLOCKED));
        userLog.shards.get(Shards.of(BOB)).clear();
        userLog.epoch++;
        counting.close();
        counting = new FedCounter(database, new LogText(), userLog);
        assertThat(database.texts(PAUSES)).containsExactly("1 @bob:one.example true");
        assertThat(database.texts(PUSHERS)).hasSize(6);
        happens(new AccountChanged(AccountState.BLOCKED));
        assertThat(database.texts(PAUSES)).containsExactly("1 @bob:one.example false");
    }
}
