// SPDX-License-Identifier: Apache-2.0
package rookery.room.authorization;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import rookery.model.event.Membership;
import rookery.room.authorization.MemberHistory.Span;

class MemberHistoryTest {
    private static final MemberHistory STAYED = new MemberHistory(List.of(
            new Span(10, Membership.INVITE),
            new Span(20, Membership.JOIN),
            new Span(25, Membership.JOIN),
            new Span(30, Membership.LEAVE),
            new Span(40, Membership.JOIN),
            new Span(45, Membership.JOIN)));

    @Test
    void aSpanBeginsAtItsEvent() {
        assertThat(STAYED.at(9)).isEqualTo(Membership.LEAVE);
        assertThat(STAYED.at(10)).isEqualTo(Membership.INVITE);
        assertThat(STAYED.at(29)).isEqualTo(Membership.JOIN);
        assertThat(STAYED.at(30)).isEqualTo(Membership.LEAVE);
        assertThat(STAYED.now()).isEqualTo(Membership.JOIN);
    }

    @Test
    void whoWasInvitedOnlyWasNeverJoined() {
        assertThat(STAYED.wasEverJoined()).isTrue();
        assertThat(STAYED.upTo(20).wasEverJoined()).isTrue();
        assertThat(STAYED.upTo(19).wasEverJoined()).isFalse();
        assertThat(MemberHistory.NEVER.wasEverJoined()).isFalse();
    }

    @Test
    void joiningAtAPositionIsNotJoiningAfterIt() {
        assertThat(STAYED.joinedAfter(44)).isTrue();
        assertThat(STAYED.joinedAfter(45)).isFalse();
        assertThat(STAYED.upTo(39).joinedAfter(26)).isFalse();
    }

    @Test
    void aChangedNameDoesNotInterruptAStay() {
        assertThat(STAYED.joinedFrom()).isEqualTo(40);
        assertThat(STAYED.upTo(29).joinedFrom()).isEqualTo(20);
        assertThat(STAYED.upTo(30).joinedFrom()).isEqualTo(-1);
        assertThat(MemberHistory.NEVER.joinedFrom()).isEqualTo(-1);
    }
}
