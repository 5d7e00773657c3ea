// SPDX-License-Identifier: Apache-2.0
package rookery.model.filter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import rookery.model.id.RoomId;
import rookery.model.id.UserId;

/** contract.md 10.6. */
class EventFilterTest {
    private static final UserId ADA = new UserId("@ada:example.org");

    private static EventFilter types(@Nullable List<String> types, @Nullable List<String> notTypes) {
        return new EventFilter(null, types, notTypes, null, null, null, null, null, false, false, false);
    }

    @Test
    void anAbsentListMeansEverythingAndAnEmptyOneNothing() {
        assertThat(types(null, null).passes("m.any", ADA, false)).isTrue();
        assertThat(types(List.of(), null).passes("m.any", ADA, false)).isFalse();
        assertThat(types(null, List.of()).passes("m.any", ADA, false)).isTrue();
        assertThat(EventFilter.ALL.isOpen()).isTrue();
        assertThat(types(List.of(), null).isOpen()).isFalse();
    }

    @Test
    void whatIsExcludedWins() {
        assertThat(types(List.of("m.*"), List.of("m.room.*")).passes("m.room.name", ADA, false))
                .isFalse();
        assertThat(types(List.of("m.*"), List.of("m.room.*")).passes("m.reaction", ADA, false))
                .isTrue();
    }

    @Test
    void aStarStandsForAnyRun() {
        assertThat(EventFilter.matches("*", "")).isTrue();
        assertThat(EventFilter.matches("m.room.*", "m.room.")).isTrue();
        assertThat(EventFilter.matches("*.name", "m.room.name")).isTrue();
        assertThat(EventFilter.matches("m.*.na*e", "m.room.name")).isTrue();
        assertThat(EventFilter.matches("m.room", "m.room.name")).isFalse();
        assertThat(EventFilter.matches("", "m")).isFalse();
        assertThat(EventFilter.matches("a*b*c", "aXbXbXc")).isTrue();
        assertThat(EventFilter.matches("a*b*c", "aXcXb")).isFalse();
        assertThat(EventFilter.matches("a.c", "abc"))
                .as("no regular expression")
                .isFalse();
    }

    @Test
    void manyStarsAreNoBomb() {
        assertThat(EventFilter.matches("*a".repeat(100) + "b", "a".repeat(20_000)))
                .isFalse();
    }

    @Test
    void sendersRoomsAndUrlsAreLookedAt() {
        var filter = new EventFilter(
                null,
                null,
                null,
                List.of(ADA.value()),
                null,
                null,
                List.of("!no:example.org"),
                true,
                false,
                false,
                false);
        assertThat(filter.passes("m.x", ADA, true)).isTrue();
        assertThat(filter.passes("m.x", ADA, false)).isFalse();
        assertThat(filter.passes("m.x", new UserId("@bob:example.org"), true)).isFalse();
        assertThat(filter.passesRoom(new RoomId("!no:example.org"))).isFalse();
        assertThat(filter.passesRoom(new RoomId("!yes:example.org"))).isTrue();
    }

    @Test
    void theTimelineHasAtMostAHundredEventsAndNoneForWhoWantsNone() {
        assertThat(RoomFilter.ALL.timelineLimit()).isEqualTo(10);
        assertThat(limit(0)).isZero();
        assertThat(limit(-5)).isEqualTo(1);
        assertThat(limit(1_000)).isEqualTo(100);
    }

    private static int limit(int limit) {
        var timeline = new EventFilter(limit, null, null, null, null, null, null, null, false, false, false);
        return new RoomFilter(null, null, false, EventFilter.ALL, timeline, EventFilter.ALL, EventFilter.ALL)
                .timelineLimit();
    }
}
