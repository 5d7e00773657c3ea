// SPDX-License-Identifier: Apache-2.0
package rookery.sync.typing;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.TenantRoom;
import rookery.model.id.UserId;

/** Typing over time. */
class TypingSetsTest {
    private static final TenantRoom ROOM = new TenantRoom(new TenantId(1), new RoomId("!room:s"));
    private static final UserId ADA = new UserId("@ada:s");
    private static final UserId BOB = new UserId("@bob:s");
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final TypingSets sets = new TypingSets();
    private long ts = 1_000;
    private long now = -5 * SECOND; // the monotonic clock may begin anywhere

    private boolean start(UserId user, int seconds) {
        return sets.start(ROOM, user, 10, ++ts, seconds * SECOND, now);
    }

    private boolean stop(UserId user) {
        return sets.stop(ROOM, user, ++ts, now);
    }

    private @Nullable List<UserId> told(long since) {
        return sets.usersFor(ROOM, since, sets.mark(), Set.of(), false);
    }

    @Test
    void thoseWhoTypeStandInTheOrderInWhichTheyBegan() {
        var since = sets.mark();
        assertThat(start(BOB, 30)).isTrue();
        assertThat(start(ADA, 30)).isTrue();
        assertThat(start(BOB, 40)).isFalse();
        assertThat(told(since)).containsExactly(BOB, ADA);
        assertThat(stop(BOB)).isTrue();
        assertThat(stop(BOB)).isFalse();
        start(BOB, 30);
        assertThat(told(since)).containsExactly(ADA, BOB);
    }

    @Test
    void typingEndsAtItsLastDeadline() {
        start(BOB, 10);
        var since = sets.mark();
        now += 5 * SECOND;
        start(BOB, 10);
        now += 6 * SECOND;
        assertThat(sets.expire(now)).isEmpty();
        now += 4 * SECOND;
        assertThat(sets.expire(now)).containsExactly(ROOM);
        assertThat(told(since)).isEmpty();
        assertThat(sets.isTypedIn(ROOM)).isFalse();
    }

    @Test
    void onlyWhatCameLaterEndsIt() {
        start(BOB, 10);
        assertThat(sets.end(ROOM, BOB, 10, now)).isFalse();
        assertThat(sets.end(ROOM, ADA, 11, now)).isFalse();
        assertThat(sets.end(ROOM, BOB, 11, now)).isTrue();
    }

    @Test
    void whoHasStoppedIsNotMadeToTypeByWhatTheySaidBefore() {
        assertThat(stop(BOB)).isFalse(); // the stop came first
        assertThat(sets.start(ROOM, BOB, 10, ts - 1, 30 * SECOND, now)).isFalse();
        assertThat(sets.isTypedIn(ROOM)).isFalse();
        assertThat(sets.start(ROOM, ADA, 10, ts - 1, 30 * SECOND, now)).isTrue();
        assertThat(start(BOB, 30)).isTrue();
        assertThat(sets.stop(ROOM, BOB, ts - 2, now)).isTrue(); // by a late clock: an early end is better than none
        assertThat(sets.start(ROOM, BOB, 10, ts - 2, 30 * SECOND, now)).isFalse();
        now += 121 * SECOND;
        sets.expire(now);
        assertThat(sets.start(ROOM, BOB, 10, 1, 30 * SECOND, now)).isTrue();
    }

    @Test
    void whatIsOverAlreadyDoesNotBegin() {
        assertThat(start(BOB, 0)).isFalse();
        assertThat(told(TypingSets.UNKNOWN)).isNull();
    }

    @Test
    void aReaderIsToldOnlyWhatIsDifferent() {
        assertThat(told(sets.mark())).isNull();
        start(BOB, 10);
        var since = sets.mark();
        assertThat(told(since)).isNull();
        assertThat(sets.usersFor(ROOM, since, sets.mark(), Set.of(), true)).containsExactly(BOB);
        stop(BOB);
        assertThat(told(since)).isEmpty();
        assertThat(sets.usersFor(ROOM, since, sets.mark(), Set.of(), true)).isNull();
    }

    /** The reader may have received the set in between, and repeat an older token. */
    @Test
    void whoStoppedIsToldToATokenFromBeforeTheyBegan() {
        var since = sets.mark();
        start(BOB, 10);
        stop(BOB);
        assertThat(told(since)).isEmpty();
        assertThat(told(sets.mark())).isNull();
        start(BOB, 10);
        var between = sets.mark();
        start(ADA, 10);
        stop(ADA);
        assertThat(told(between)).containsExactly(BOB);
        assertThat(sets.usersFor(ROOM, between, sets.mark(), Set.of(ADA.value()), false))
                .as("whom the reader ignores changes nothing")
                .isNull();
    }

    @Test
    void aReaderOfAnotherNodeIsToldTheEmptySetToo() {
        start(BOB, 10);
        assertThat(told(TypingSets.UNKNOWN)).containsExactly(BOB);
        stop(BOB);
        assertThat(told(TypingSets.UNKNOWN)).isEmpty();
        now += 3_601 * SECOND;
        sets.expire(now);
        assertThat(told(TypingSets.UNKNOWN)).isNull();
    }

    @Test
    void nothingIsToldOfWhatBeganAfterTheCutOfTheAnswer() {
        var cut = sets.mark();
        start(BOB, 10);
        assertThat(sets.usersFor(ROOM, TypingSets.UNKNOWN, cut, Set.of(), false))
                .isNull();
        assertThat(told(TypingSets.UNKNOWN)).containsExactly(BOB);
    }

    @Test
    void whoSawSomebodyTypeAndWasAwayForLongIsToldThatNobodyDoes() {
        var before = sets.mark();
        start(BOB, 10);
        var since = sets.mark();
        stop(BOB);
        var after = sets.mark();
        now += 3_000 * SECOND;
        sets.expire(now);
        assertThat(told(since)).isEmpty();
        assertThat(told(before)).isEmpty(); // the changes in between are forgotten
        assertThat(told(after)).isNull();
        var among = List.of(ROOM.room());
        assertThat(sets.lately(ROOM.tenant(), among, since)).isEqualTo(among);
        assertThat(sets.lately(ROOM.tenant(), among, TypingSets.UNKNOWN)).isEqualTo(among);
        assertThat(sets.lately(ROOM.tenant(), among, after)).isEmpty();
        start(BOB, 10); // a new member gets the set
        assertThat(sets.lately(ROOM.tenant(), among, sets.mark())).isEqualTo(among);
    }

    @Test
    void whoeverIsIgnoredDoesNotType() {
        var since = sets.mark();
        start(BOB, 10);
        var ignored = Set.of(BOB.value());
        assertThat(sets.usersFor(ROOM, since, sets.mark(), ignored, false)).isNull();
        start(ADA, 10);
        assertThat(sets.usersFor(ROOM, since, sets.mark(), ignored, false)).containsExactly(ADA);
    }

    @Test
    void whoStandsBeforeWhatIsRememberedIsToldAgain() {
        start(ADA, 10);
        var since = sets.mark();
        for (int i = 0; i < 15; i++) {
            start(BOB, 10);
            stop(BOB);
        }
        assertThat(told(since)).containsExactly(ADA);
        assertThat(told(sets.mark())).isNull();
    }

    @Test
    void notEverybodyIsShownInACrowd() {
        var since = sets.mark();
        for (int i = 0; i < TypingSets.SHOWN_MAX; i++) {
            start(new UserId("@user" + i + ":s"), 10);
        }
        assertThat(start(ADA, 10)).isFalse();
        assertThat(told(since)).hasSize(TypingSets.SHOWN_MAX).doesNotContain(ADA);
    }

    @Test
    void tenantsDoNotMix() {
        start(BOB, 10);
        var other = new TenantRoom(new TenantId(2), ROOM.room());
        assertThat(sets.isTypedIn(other)).isFalse();
        assertThat(sets.usersFor(other, TypingSets.UNKNOWN, sets.mark(), Set.of(), false))
                .isNull();
    }
}
