// SPDX-License-Identifier: Apache-2.0
package rookery.room.authorization;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import rookery.model.event.Membership;
import rookery.model.id.UserId;
import rookery.room.authorization.HistoryVisibility.VisibilityFacts;
import rookery.room.authorization.MemberHistory.Span;

/** contract.md 9.8: Ada is invited at 10, joins at 20, leaves at 30, and in some tests joins again at 40. */
class HistoryVisibilityTest {
    private static final UserId ADA = new UserId("@ada:example.org");
    private static final Span INVITED = new Span(10, Membership.INVITE);
    private static final Span JOINED = new Span(20, Membership.JOIN);
    private static final Span LEFT = new Span(30, Membership.LEAVE);
    private static final Span BACK = new Span(40, Membership.JOIN);

    private static List<Integer> visible(String visibility, Span... spans) {
        var history = new MemberHistory(List.of(spans));
        var visible = new ArrayList<Integer>();
        for (int pos : List.of(5, 15, 25, 35, 45)) {
            if (HistoryVisibility.isVisible(new VisibilityFacts(pos, visibility, null, null), ADA, history)) {
                visible.add(pos);
            }
        }
        return visible;
    }

    @Test
    void aStrangerSeesOnlyWhatTheWorldMay() {
        assertThat(visible("world_readable")).containsExactly(5, 15, 25, 35, 45);
        for (String visibility : List.of("shared", "invited", "joined", "unknown")) {
            assertThat(visible(visibility)).isEmpty();
        }
    }

    @Test
    void beingInvitedAloneShowsNoHistory() {
        for (String visibility : List.of("shared", "invited", "joined")) {
            assertThat(visible(visibility, INVITED)).isEmpty();
        }
    }

    @Test
    void aMemberSeesTheMembersTimeAndWhatTheVisibilityAdds() {
        assertThat(visible("joined", INVITED, JOINED)).containsExactly(25, 35, 45);
        assertThat(visible("invited", INVITED, JOINED)).containsExactly(15, 25, 35, 45);
        assertThat(visible("shared", INVITED, JOINED)).containsExactly(5, 15, 25, 35, 45);
        assertThat(visible("unknown", INVITED, JOINED)).containsExactly(5, 15, 25, 35, 45);
    }

    @Test
    void whoLeftSeesNothingLater() {
        assertThat(visible("joined", INVITED, JOINED, LEFT)).containsExactly(25);
        assertThat(visible("invited", INVITED, JOINED, LEFT)).containsExactly(15, 25);
        assertThat(visible("shared", INVITED, JOINED, LEFT)).containsExactly(5, 15, 25);
        assertThat(visible("world_readable", INVITED, JOINED, LEFT)).containsExactly(5, 15, 25, 35, 45);
    }

    @Test
    void whoComesBackSeesTheTimeBetweenOnlyIfItIsShared() {
        assertThat(visible("joined", JOINED, LEFT, BACK)).containsExactly(25, 45);
        assertThat(visible("invited", JOINED, LEFT, BACK)).containsExactly(25, 45);
        assertThat(visible("shared", JOINED, LEFT, BACK)).containsExactly(5, 15, 25, 35, 45);
    }

    @Test
    void aChangeOfVisibilityIsVisibleUnderEitherValue() {
        assertThat(seesChange(5, "joined", "shared", JOINED)).isTrue();
        assertThat(seesChange(5, "shared", "joined", JOINED)).isTrue();
        assertThat(seesChange(5, "joined", "joined", JOINED)).isFalse();
        assertThat(seesChange(5, "joined", null, JOINED)).isFalse();
    }

    private static boolean seesChange(long pos, String after, @Nullable String before, Span... spans) {
        return HistoryVisibility.isVisible(
                new VisibilityFacts(pos, after, before, null), ADA, new MemberHistory(List.of(spans)));
    }

    @Test
    void onesOwnLeaveIsVisibleAndAnothersIsNot() {
        var history = new MemberHistory(List.of(JOINED, LEFT));
        assertThat(HistoryVisibility.isVisible(new VisibilityFacts(30, "joined", null, ADA.value()), ADA, history))
                .isTrue();
        assertThat(HistoryVisibility.isVisible(
                        new VisibilityFacts(30, "joined", null, "@bob:example.org"), ADA, history))
                .isFalse();
    }

    @Test
    void onesOwnJoinAndInvitationAreSeenByWhoIsOrWasThere() {
        var history = new MemberHistory(List.of(INVITED, JOINED));
        assertThat(seesOwn(20, "joined", history)).isTrue();
        assertThat(seesOwn(10, "invited", history)).isTrue();
        assertThat(seesOwn(10, "joined", history)).isFalse();
        assertThat(seesOwn(10, "shared", new MemberHistory(List.of(INVITED)))).isFalse();
    }

    private static boolean seesOwn(long pos, String visibility, MemberHistory history) {
        return HistoryVisibility.isVisible(new VisibilityFacts(pos, visibility, null, ADA.value()), ADA, history);
    }

    @Test
    void knockingAndBeingBannedShowNothing() {
        for (var membership : List.of(Membership.KNOCK, Membership.BAN)) {
            for (String visibility : List.of("shared", "invited", "joined")) {
                assertThat(visible(visibility, new Span(10, membership))).isEmpty();
            }
            assertThat(visible("invited", new Span(10, membership), JOINED)).containsExactly(25, 35, 45);
        }
    }

    @Test
    void aBanAfterLeavingTakesNothingAwayAndShowsNothing() {
        var banned = new Span(40, Membership.BAN);
        assertThat(visible("shared", JOINED, LEFT, banned)).containsExactly(5, 15, 25);
        assertThat(seesOwn(40, "shared", new MemberHistory(List.of(JOINED, LEFT, banned))))
                .isFalse();
        assertThat(seesOwn(30, "joined", new MemberHistory(List.of(JOINED, new Span(30, Membership.BAN)))))
                .isTrue();
    }

    @Test
    void aHistoryKnowsWhereTheCurrentJoinBegan() {
        var renamed = new Span(25, Membership.JOIN);
        assertThat(new MemberHistory(List.of(JOINED, renamed)).joinedFrom()).isEqualTo(20);
        assertThat(new MemberHistory(List.of(JOINED, LEFT)).joinedFrom()).isEqualTo(-1);
        assertThat(new MemberHistory(List.of(JOINED, LEFT, BACK)).joinedFrom()).isEqualTo(40);
        assertThat(new MemberHistory(List.of(JOINED, LEFT, BACK)).upTo(35).joinedFrom())
                .isEqualTo(-1);
        assertThat(MemberHistory.NEVER.now()).isEqualTo(Membership.LEAVE);
    }

    @Test
    void anUnknownVisibilityIsKeptAsShared() {
        assertThat(keptAs("x".repeat(60_000))).isEqualTo("shared");
        for (String visibility : List.of("world_readable", "shared", "invited", "joined")) {
            assertThat(keptAs(visibility)).isEqualTo(visibility);
        }
    }

    private static String keptAs(String visibility) {
        var content = TestRoom.json("{\"history_visibility\":\"" + visibility + "\"}");
        return CoreState.NONE
                .after("m.room.history_visibility", "", TestRoom.ADA, content)
                .visibility();
    }
}
