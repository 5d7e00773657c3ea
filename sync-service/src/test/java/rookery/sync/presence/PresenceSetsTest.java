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

    private List<String> told(long since) {
        return sets.changed(TENANT, since, sets.mark(), since == 0, 10).stream()
                .map(shown ->
                        shown.said().user().localpart() + " " + shown.said().state())
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

    /** Who has left the last room that was shared is nobody's business there any more. */
    @Test
    void roomsThatWereLeftAreToldNothingMore() {
        sets.take(said("ada", "online", null, NOW), 0);
        sets.nextRound(0);
        sets.take(in(List.of(), said("ada", "online", "elsewhere", NOW + 1)), 0);
        assertThat(sets.nextRound(0)).isEqualTo(Map.of(TENANT, Set.of()));
        assertThat(sets.changed(TENANT, 0, sets.mark(), true, 10))
                .singleElement()
                .satisfies(shown -> assertThat(shown.rooms()).isEmpty());
        sets.take(in(List.of(), said("ada", "online", "elsewhere", NOW + 2)), 0);
        sets.nextRound(MINUTE_NANOS);
        assertThat(sets.changed(TENANT, 0, sets.mark(), false, 10))
                .allSatisfy(shown -> assertThat(shown.rooms()).isEmpty());
    }

    @Test
    void ofTwoRoomsOnlyTheOneThatWasNotLeftIsTold() {
        sets.take(in(List.of(7L, 8L), said("ada", "online", null, NOW)), 0);
        sets.nextRound(0);
        sets.take(said("ada", "online", null, NOW + 1), 0);
        assertThat(sets.nextRound(0)).isEmpty();
        assertThat(sets.changed(TENANT, 0, sets.mark(), true, 10))
                .singleElement()
                .satisfies(shown -> assertThat(shown.rooms()).containsExactly(7L));
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
        assertThat(told(0)).isEmpty(); // who knows nothing believes that anyway
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
        assertThat(sets.changed(TENANT, 0, sets.mark(), false, 10)).hasSize(1);
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
        assertThat(sets.changed(new TenantId(2), 0, sets.mark(), false, 10)).isEmpty();
    }
}
