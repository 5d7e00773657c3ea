// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.authentication;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import rookery.gateway.authentication.LeasedSessions.Question;
import rookery.model.caller.Caller.Known;
import rookery.model.id.DeviceId;
import rookery.model.id.TenantId;
import rookery.model.id.TenantUser;
import rookery.model.id.UserId;

class LeasedSessionsTest {
    private static final TenantId ALPHA = new TenantId(1);
    private static final TenantId BETA = new TenantId(2);
    private static final UserId ADA = new UserId("@ada:alpha.test");
    private static final TenantUser ADA_OF_ALPHA = new TenantUser(ALPHA, ADA);
    private static final TokenHash TOKEN = token("a");
    private static final String IP = "192.0.2.1";
    private static final String OTHER_IP = "192.0.2.2";
    private static final long FOR_EVER = Long.MAX_VALUE;

    private long now = Long.MAX_VALUE - 1000;
    private final LeasedSessions sessions = new LeasedSessions(1000, 1 << 20, () -> now);

    @Test
    void answerIsUsedUnderItsLeaseOnly() {
        assertThat(keep(asked("one"), TOKEN)).isTrue();

        assertThat(get(TOKEN, "one")).isNotNull();
        assertThat(get(TOKEN, "two")).isNull();
        assertThat(get(token("b"), "one")).isNull();
        assertThat(get(new TokenHash(BETA, TOKEN.hex()), "one")).isNull();
    }

    @Test
    void changeDropsAllSessionsOfTheUserAndNoOthers() {
        var bob = token("b");
        keep(asked("one"), TOKEN);
        keep(asked("one"), token("a2"));
        sessions.put(asked("one"), bob, known("@bob:alpha.test"), FOR_EVER);

        sessions.change(ADA_OF_ALPHA);

        assertThat(get(TOKEN, "one")).isNull();
        assertThat(get(token("a2"), "one")).isNull();
        assertThat(get(bob, "one")).isNotNull();
        assertThat(sessions.size()).isEqualTo(1);
    }

    @Test
    void answerToAQuestionFromBeforeAChangeIsNotKept() {
        var before = asked("one");
        sessions.change(ADA_OF_ALPHA);
        assertThat(keep(before, TOKEN)).as("asked in the same nanosecond").isFalse();
        pass(59_000);
        assertThat(keep(before, TOKEN)).as("a late answer").isFalse();
        assertThat(get(TOKEN, "one")).isNull();

        assertThat(keep(asked("one"), TOKEN)).as("asked after the change").isTrue();
        assertThat(get(TOKEN, "one")).isNotNull();
    }

    @Test
    void changesOfManyUsersAreRememberedOrMakeAllEarlierQuestionsDoubtful() {
        var before = asked("one");
        sessions.change(ADA_OF_ALPHA);
        pass(1);
        var between = asked("one");
        pass(1);
        for (int i = 0; i < 20_000; i++) {
            sessions.change(new TenantUser(ALPHA, new UserId("@user%d:alpha.test".formatted(i))));
        }

        assertThat(keep(before, TOKEN)).isFalse();
        assertThat(keep(between, TOKEN)).as("doubtful for everybody").isFalse();
        pass(1);
        assertThat(keep(asked("one"), TOKEN)).isTrue();
    }

    @Test
    void sessionIsUsedForFiveMinutesAtMostAndNotAfterItsToken() {
        keep(asked("one"), TOKEN);
        sessions.put(asked("one"), token("short"), known(ADA.value()), TimeUnit.SECONDS.toNanos(2));

        pass(1999);
        assertThat(get(token("short"), "one")).isNotNull();
        pass(1);
        assertThat(get(token("short"), "one")).isNull();
        pass(297_999);
        assertThat(get(TOKEN, "one")).isNotNull();
        pass(1);
        assertThat(get(TOKEN, "one")).isNull();
    }

    @Test
    void lifeOfAnAnswerBeginsWithItsQuestion() {
        var question = asked("one");
        pass(300_000);
        keep(question, TOKEN);
        assertThat(get(TOKEN, "one")).isNull();
    }

    @Test
    void addressIsUsedAfterAuthServiceHasSeenIt() {
        keep(asked("one"), TOKEN);
        assertThat(sessions.get(TOKEN, "one", OTHER_IP)).isNull();
        keep(new Question("one", now, OTHER_IP), TOKEN);
        assertThat(sessions.get(TOKEN, "one", OTHER_IP)).isNotNull();
        assertThat(get(TOKEN, "one")).as("the first address is still known").isNotNull();

        for (int i = 0; i < 100; i++) {
            keep(new Question("one", now, "198.51.100." + i), TOKEN);
        }
        assertThat(get(TOKEN, "one")).as("a few addresses are known").isNull();
        assertThat(sessions.size()).isEqualTo(1);
    }

    @Test
    void leastRecentlyUsedSessionsGoFirst() {
        var few = new LeasedSessions(3, 1 << 20, () -> now);
        for (int i = 0; i < 3; i++) {
            few.put(asked("one"), token("t" + i), known(ADA.value()), FOR_EVER);
        }
        assertThat(few.get(token("t0"), "one", IP)).isNotNull();
        few.put(asked("one"), token("t3"), known(ADA.value()), FOR_EVER);

        assertThat(few.get(token("t0"), "one", IP)).isNotNull();
        assertThat(few.get(token("t1"), "one", IP)).isNull();
        assertThat(few.size()).isEqualTo(3);
    }

    @Test
    void bytesAreBoundedWhateverIsKeptAgain() {
        var small = new LeasedSessions(1_000_000, 100_000, () -> now);
        for (int i = 0; i < 10_000; i++) {
            small.put(asked("one"), token("t" + i % 500), known("@%s:alpha.test".formatted("x".repeat(200))), FOR_EVER);
            assertThat(small.size()).isLessThanOrEqualTo(100_000 / 600);
        }
        assertThat(small.size()).isPositive();
    }

    private Question asked(String lease) {
        return new Question(lease, now, IP);
    }

    private boolean keep(Question question, TokenHash token) {
        return sessions.put(question, token, known(ADA.value()), FOR_EVER);
    }

    private @Nullable Known get(TokenHash token, String lease) {
        return sessions.get(token, lease, IP);
    }

    private void pass(long ms) {
        now += TimeUnit.MILLISECONDS.toNanos(ms);
    }

    private static Known known(String user) {
        return new Known(new UserId(user), new DeviceId("D"), false, false);
    }

    private static TokenHash token(String hex) {
        return new TokenHash(ALPHA, hex);
    }
}
