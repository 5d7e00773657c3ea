// SPDX-License-Identifier: Apache-2.0
package rookery.sync.ring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import rookery.model.filter.EventFilter;
import rookery.model.filter.RoomFilter;
import rookery.model.id.RoomId;
import rookery.model.id.UserId;
import rookery.model.topic.RoomLogRecord.EventAppended;
import rookery.sync.testing.Events;

class TimelineCutTest {
    private static final RoomId ROOM = new RoomId("!r:s");
    private static final UserId ADA = new UserId("@ada:s");
    private static final UserId BOB = new UserId("@bob:s");

    private final List<RingEvent> range = new ArrayList<>();

    private long pos = 10;

    @Test
    void fewEventsAreAllTold() {
        message("a");
        message("b");
        var cut = cut(filter(10, null, null));
        assertThat(names(cut.timeline())).containsExactly("a", "b");
        assertThat(cut.limited()).isFalse();
        assertThat(cut.prevPos()).isEqualTo(10);
        assertThat(cut.state()).isEmpty();
    }

    @Test
    void manyEventsLeaveAGapThatBeginsWhereTheTimelineDoes() {
        for (int i = 11; i <= 40; i++) {
            message("m" + i);
        }
        var cut = cut(filter(10, null, null));
        assertThat(names(cut.timeline())).hasSize(10).startsWith("m31").endsWith("m40");
        assertThat(cut.limited()).isTrue();
        assertThat(cut.prevPos()).isEqualTo(30);
    }

    @Test
    void stateOfTheGapIsTheValueAtTheStartOfTheTimeline() {
        state("name1", "m.room.name");
        state("name2", "m.room.name");
        state("topic1", "m.room.topic");
        message("a");
        state("name3", "m.room.name");
        message("b");
        var cut = cut(filter(2, null, null));
        assertThat(names(cut.timeline())).containsExactly("name3", "b");
        assertThat(names(cut.state())).containsExactly("name2", "topic1");
    }

    @Test
    void stateThatOnlyTheTimelineFilterRemovedIsToldAsState() {
        message("a");
        state("name1", "m.room.name");
        message("b");
        state("name2", "m.room.name");
        var cut = cut(filter(10, List.of("m.room.message"), null));
        assertThat(names(cut.timeline())).containsExactly("a", "b");
        assertThat(names(cut.state())).containsExactly("name2");
    }

    @Test
    void stateThatTheTimelineSupersedesIsNotTold() {
        range.add(held(Events.state("old", "m.room.name", "", BOB)));
        message("a");
        state("new", "m.room.name");
        var onlyAda =
                new EventFilter(10, null, null, List.of(ADA.value()), null, null, null, null, false, false, false);
        var cut = cut(new RoomFilter(null, null, false, EventFilter.ALL, onlyAda, EventFilter.ALL, EventFilter.ALL));
        assertThat(names(cut.timeline())).containsExactly("a", "new");
        assertThat(cut.state()).isEmpty();
    }

    @Test
    void theStateFilterAppliesToState() {
        state("name1", "m.room.name");
        state("topic1", "m.room.topic");
        var cut = cut(filter(10, List.of(), List.of("m.room.topic")));
        assertThat(cut.timeline()).isEmpty();
        assertThat(cut.limited()).isFalse();
        assertThat(cut.prevPos()).isEqualTo(10);
        assertThat(names(cut.state())).containsExactly("topic1");
    }

    @Test
    void messagesOfIgnoredUsersAreWithheldAndTheirStateIsNot() {
        range.add(held(Events.message("no", BOB)));
        range.add(held(Events.state("yes", "m.room.topic", "", BOB)));
        message("a");
        var wish = new TimelineCut.TimelineRequest(filter(10, null, null), Set.of(BOB.value()), false);
        var cut = TimelineCut.of(range, 10, ROOM, wish);
        assertThat(names(cut.timeline())).containsExactly("yes", "a");
    }

    @Test
    void stateAfterIncludesWhatTheTimelineChanges() {
        state("name1", "m.room.name");
        message("a");
        state("name2", "m.room.name");
        state("topic1", "m.room.topic");
        var wish = new TimelineCut.TimelineRequest(filter(2, null, null), Set.of(), true);
        var cut = TimelineCut.of(range, 10, ROOM, wish);
        assertThat(names(cut.timeline())).containsExactly("name2", "topic1");
        assertThat(names(cut.state())).containsExactly("name2", "topic1");
    }

    @ParameterizedTest
    @CsvSource({"1, false", "10, false", "1, true"})
    void valueThatIsOutdatedIsNotToldInsteadOfOneThatTheFilterLeavesOut(int limit, boolean stateAfter) {
        state("outdated", "m.room.name");
        range.add(held(Events.state("current", "m.room.name", "", BOB)));
        message("a");
        message("b");
        var onlyAda =
                new EventFilter(null, null, null, List.of(ADA.value()), null, null, null, null, false, false, false);
        var messages = types(limit, List.of("m.room.message"));
        var filter = new RoomFilter(null, null, false, onlyAda, messages, EventFilter.ALL, EventFilter.ALL);
        var cut = TimelineCut.of(range, 10, ROOM, new TimelineCut.TimelineRequest(filter, Set.of(), stateAfter));
        assertThat(cut.state()).isEmpty();
    }

    private TimelineCut cut(RoomFilter filter) {
        return TimelineCut.of(range, 10, ROOM, new TimelineCut.TimelineRequest(filter, Set.of(), false));
    }

    private static RoomFilter filter(int limit, @Nullable List<String> timeline, @Nullable List<String> state) {
        return new RoomFilter(
                null, null, false, types(null, state), types(limit, timeline), EventFilter.ALL, EventFilter.ALL);
    }

    private static EventFilter types(@Nullable Integer limit, @Nullable List<String> types) {
        return new EventFilter(limit, types, null, null, null, null, null, null, false, false, false);
    }

    private void message(String name) {
        range.add(held(Events.message(name, ADA)));
    }

    private void state(String name, String type) {
        range.add(held(Events.state(name, type, "", ADA)));
    }

    private RingEvent held(EventAppended event) {
        return new RingEvent(++pos, event);
    }

    private static List<String> names(List<RingEvent> events) {
        return events.stream()
                .map(held -> held.event().meta().eventId().value().substring(1))
                .toList();
    }
}
