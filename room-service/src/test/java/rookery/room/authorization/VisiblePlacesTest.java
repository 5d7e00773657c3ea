// SPDX-License-Identifier: Apache-2.0
package rookery.room.authorization;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import rookery.model.event.Membership;
import rookery.model.id.UserId;
import rookery.room.authorization.HistoryVisibility.VisibilityFacts;
import rookery.room.authorization.MemberHistory.Span;
import rookery.room.authorization.VisiblePlaces.Change;
import rookery.room.authorization.VisiblePlaces.Stretch;

/** Where there is something to see is exactly where {@link HistoryVisibility} lets something be seen. */
class VisiblePlacesTest {
    private static final UserId ADA = new UserId("@ada:example.org");
    private static final int POSITIONS = 60;
    private static final List<Membership> MEMBERSHIPS = List.of(Membership.values());

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void placesAreThoseOfVisibleEvents(long seed) {
        var random = new Random(seed);
        for (int round = 0; round < 200; round++) {
            var spans = new ArrayList<Span>();
            var changes = new ArrayList<Change>();
            for (int pos = 1; pos <= POSITIONS; pos++) {
                switch (random.nextInt(8)) {
                    case 0 -> spans.add(new Span(pos, MEMBERSHIPS.get(random.nextInt(5))));
                    case 1 ->
                        changes.add(new Change(
                                pos,
                                List.of("world_readable", "shared", "invited", "joined", "odd")
                                        .get(random.nextInt(5))));
                    default -> {}
                }
            }
            var history = new MemberHistory(spans);
            var places = VisiblePlaces.of(ADA, history, changes, true);
            for (int pos = 1; pos <= POSITIONS + 5; pos++) {
                assertThat(places.hold(pos))
                        .as("position %d of %s %s", pos, spans, changes)
                        .isEqualTo(HistoryVisibility.isVisible(event(pos, spans, changes), ADA, history));
            }
        }
    }

    private static VisibilityFacts event(long pos, List<Span> spans, List<Change> changes) {
        String visibility = "shared";
        @Nullable String before = null;
        for (var change : changes) {
            if (change.from() <= pos) {
                before = change.from() == pos ? visibility : null;
                visibility = change.visibility();
            }
        }
        boolean isOwn = spans.stream().anyMatch(span -> span.from() == pos);
        return new VisibilityFacts(pos, visibility, before, isOwn ? ADA.value() : null);
    }

    @Test
    void whoLeftHasNothingToLookForAfterwards() {
        var left = new MemberHistory(List.of(new Span(20, Membership.JOIN), new Span(30, Membership.LEAVE)));
        var joined = List.of(new Change(5, "joined"));
        assertThat(VisiblePlaces.of(ADA, left, joined, true).stretches())
                .containsExactly(new Stretch(1, 5), new Stretch(20, 30));
        assertThat(VisiblePlaces.of(ADA, left, List.of(), true).stretches()).containsExactly(new Stretch(1, 30));
    }

    @Test
    void whatIsNotKnownOfTheVisibilityIsLookedThrough() {
        var joined = new MemberHistory(List.of(new Span(20, Membership.JOIN)));
        assertThat(VisiblePlaces.of(ADA, joined, List.of(new Change(8, "joined")), false)
                        .stretches())
                .containsExactly(new Stretch(1, 8), new Stretch(20, Long.MAX_VALUE));
    }

    @Test
    void theNearestPlaceIsFoundFromBothSides() {
        var places = new VisiblePlaces(List.of(new Stretch(5, 10), new Stretch(20, 30)));
        assertThat(places.atOrBelow(4)).isNull();
        assertThat(places.atOrBelow(7)).isEqualTo(new Stretch(5, 7));
        assertThat(places.atOrBelow(15)).isEqualTo(new Stretch(5, 10));
        assertThat(places.atOrAbove(31)).isNull();
        assertThat(places.atOrAbove(7)).isEqualTo(new Stretch(7, 10));
        assertThat(places.atOrAbove(11)).isEqualTo(new Stretch(20, 30));
    }

    @Test
    void leavingIsWhereTheLastJoinEnded() {
        var joined = new Span(1, Membership.JOIN);
        var left = new Span(2, Membership.LEAVE);
        assertThat(MemberHistory.NEVER.leftAt()).isEqualTo(-1);
        assertThat(new MemberHistory(List.of(joined)).leftAt()).isEqualTo(-1);
        assertThat(new MemberHistory(List.of(joined, left, new Span(3, Membership.BAN))).leftAt())
                .isEqualTo(2);
        assertThat(new MemberHistory(List.of(joined, left, new Span(3, Membership.INVITE))).leftAt())
                .isEqualTo(2);
        assertThat(new MemberHistory(List.of(joined, left, new Span(3, Membership.JOIN))).leftAt())
                .isEqualTo(-1);
    }
}
