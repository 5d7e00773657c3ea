// SPDX-License-Identifier: Apache-2.0
package rookery.sync.presence;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.model.topic.EphemeralRecord.PresenceSet;
import rookery.sync.presence.PresenceSets.PresenceReader;
import rookery.sync.presence.PresenceSets.ShownPresence;

class PresenceSetsTest {
    private static final TenantId TENANT = new TenantId(1);
    private static final long NOW = 1_000_000;
    private static final long MINUTE_NANOS = Duration.ofMinutes(1).toNanos();

    private final PresenceSets sets = sets(3);

    private static PresenceSets sets(int usersMax) {
        var properties = new PresenceProperties(
                Duration.ofMinutes(5), Duration.ofSeconds(30), Duration.ofSeconds(60), usersMax, 2000, 100, 500);
        return new PresenceSets(properties, Clock.fixed(Instant.ofEpochMilli(NOW), ZoneOffset.UTC));
    }

    private static PresenceSet said(String user, String state, @Nullable String message, long ts) {
        return new PresenceSet(
                TENANT, new UserId("@" + user + ":s"), state, message, ts, 60_000, null, null, List.of(7L), ts);
    }

    private List<ShownPresence> changed(long since, boolean isNew, Long... newRooms) {
        return sets.changed(new PresenceReader(TENANT, since, sets.mark(), isNew, Set.of(newRooms)), 10);
    }

    private List<String> told(long since) {
        return changed(since, since == 0).stream()
                .map(shown -> shown.presence().user().localpart() + " "
                        + shown.presence().state())
                .toList();
    }

    @Test
    void aChangeIsShownInTheNextRoundAndOnce() {
        sets.take(said("ada", "online", null, NOW), 0);
        assertThat(told(0)).isEmpty();
        assertThat(sets.nextRound(0)).containsEntry(TENANT, Set.of(7L));
        assertThat(told(0)).containsExactly("ada online");
        long mark = sets.mark();
        assertThat(sets.nextRound(0)).isEmpty();
        assertThat(told(mark)).isEmpty();
    }

    @Test
    void whatIsRepeatedIsNoChange() {
        sets.take(said("ada", "online", null, NOW), 0);
        sets.nextRound(0);
        sets.take(said("ada", "online", null, NOW + 1), 0);
        assertThat(sets.nextRound(0)).isEmpty();
        sets.take(said("ada", "online", "busy", NOW + 2), 0);
        assertThat(sets.nextRound(0)).isNotEmpty();
    }

    /** A user who left the last shared room is no longer visible to its members. */
    @Test
    void roomsThatWereLeftAreToldNothingMore() {
        sets.take(said("ada", "online", null, NOW), 0);
        sets.nextRound(0);
        sets.take(in(List.of(), said("ada", "online", "elsewhere", NOW + 1)), 0);
        assertThat(sets.nextRound(0)).isEqualTo(Map.of(TENANT, Set.of()));
        assertThat(changed(0, true))
                .singleElement()
                .satisfies(shown -> assertThat(shown.rooms()).isEmpty());
        sets.take(in(List.of(), said("ada", "online", "elsewhere", NOW + 2)), 0);
        sets.nextRound(MINUTE_NANOS);
        assertThat(changed(0, false))
                .allSatisfy(shown -> assertThat(shown.rooms()).isEmpty());
    }

    @Test
    void ofTwoRoomsOnlyTheOneThatWasNotLeftIsTold() {
        sets.take(in(List.of(7L, 8L), said("ada", "online", null, NOW)), 0);
        sets.nextRound(0);
        sets.take(said("ada", "online", null, NOW + 1), 0);
        assertThat(sets.nextRound(0)).isEmpty();
        assertThat(changed(0, true))
                .singleElement()
                .satisfies(shown -> assertThat(shown.rooms()).containsExactly(7L));
    }

    @Test
    void aJoinedRoomAloneIsShownInTheNextRoundThereAndNowhereElse() {
        sets.take(said("ada", "online", null, NOW), 0);
        sets.nextRound(0);
        long before = sets.mark();
        sets.take(in(List.of(7L, 8L), said("ada", "online", null, NOW + 1)), 0);
        assertThat(told(before)).isEmpty();
        assertThat(sets.nextRound(0)).isEqualTo(Map.of(TENANT, Set.of(8L)));
        assertThat(changed(before, false))
                .singleElement()
                .satisfies(shown -> assertThat(shown.rooms()).containsExactly(8L));
        long after = sets.mark();
        sets.take(in(List.of(7L, 8L), said("ada", "online", null, NOW + 2)), 0);
        assertThat(sets.nextRound(0)).isEmpty();
        assertThat(told(after)).isEmpty();
    }

    /** Leaving does not move a user in the order of changes: users changed after the last answer are found behind. */
    @Test
    void aJoinThatWasTakenBackHidesNoChangeOfOthers() {
        sets.take(said("ada", "online", null, NOW), 0);
        sets.nextRound(0);
        long before = sets.mark();
        sets.take(said("bob", "online", null, NOW), 0);
        sets.nextRound(0);
        sets.take(in(List.of(7L, 8L), said("ada", "online", null, NOW + 1)), 0);
        sets.nextRound(0);
        sets.take(said("ada", "online", null, NOW + 2), 0);
        sets.nextRound(0);
        assertThat(told(before)).containsExactly("bob online");
    }

    @Test
    void whoJoinsARoomIsShownThoseWhoAreThere() {
        sets.take(said("ada", "online", null, NOW), 0);
        sets.take(in(List.of(8L), said("bob", "online", null, NOW)), 0);
        sets.take(said("cyd", "offline", "gone", NOW), 0);
        sets.nextRound(0);
        assertThat(changed(sets.mark(), false)).isEmpty();
        assertThat(changed(sets.mark(), false, 7L)).singleElement().satisfies(shown -> {
            assertThat(shown.presence().user().localpart()).isEqualTo("ada");
            assertThat(shown.rooms()).containsExactly(7L);
        });
    }

    private static PresenceSet in(List<Long> rooms, PresenceSet said) {
        return new PresenceSet(
                said.tenant(),
                said.user(),
                said.state(),
                said.statusMsg(),
                said.activeTs(),
                said.holdsMillis(),
                said.displayname(),
                said.avatarUrl(),
                rooms,
                said.ts());
    }

    @Test
    void theLaterOneCountsInWhateverOrder() {
        sets.take(said("ada", "unavailable", null, NOW), 0);
        sets.take(said("ada", "online", null, NOW - 5), 0);
        sets.nextRound(0);
        assertThat(told(0)).containsExactly("ada unavailable");
    }

    @Test
    void whatNobodyRepeatsEnds() {
        sets.take(said("ada", "online", null, NOW), 0);
        sets.nextRound(0);
        long mark = sets.mark();
        assertThat(sets.nextRound(MINUTE_NANOS - 1)).isEmpty();
        assertThat(sets.nextRound(MINUTE_NANOS)).isNotEmpty();
        assertThat(told(mark)).containsExactly("ada offline");
        assertThat(told(0)).isEmpty(); // offline is a new client's default
        sets.nextRound(62 * MINUTE_NANOS);
        assertThat(sets.size()).isZero();
    }

    @Test
    void whoeverWasSeenAndIsGoneIsToldToWhoWasAwayOrComesFromAnotherNode() {
        sets.take(said("ada", "online", null, NOW), 0);
        sets.nextRound(0);
        long mark = sets.mark();
        sets.take(said("ada", "offline", null, NOW + 1), 0);
        sets.nextRound(59 * MINUTE_NANOS);
        assertThat(told(mark)).containsExactly("ada offline");
        assertThat(changed(0, false)).hasSize(1);
        assertThat(told(0)).isEmpty();
    }

    @Test
    void whatIsOverOnArrivalIsNotTaken() {
        sets.take(said("ada", "online", null, NOW - 60_000), 0);
        assertThat(sets.size()).isZero();
    }

    @Test
    void onlySoManyAreHeld() {
        for (var user : List.of("a", "b", "c", "d")) {
            sets.take(said(user, "online", null, NOW), 0);
        }
        sets.nextRound(0);
        assertThat(told(0)).containsExactly("d online", "c online", "b online");
        assertThat(sets.changed(new PresenceReader(new TenantId(2), 0, sets.mark(), false, Set.of()), 10))
                .isEmpty();
    }
}
