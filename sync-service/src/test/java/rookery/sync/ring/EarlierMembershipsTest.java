// SPDX-License-Identifier: Apache-2.0
package rookery.sync.ring;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import rookery.model.event.Membership;
import rookery.model.id.UserId;
import rookery.sync.testing.Events;

/** Whether a member, who joined at 100 and has a past, may see replaced content of before the join. */
class EarlierMembershipsTest {
    private static final UserId ADA = new UserId("@ada:s");
    private static final UserId BOB = new UserId("@bob:s");

    /** Joined from 10 to 19, away until 29, invited from 30 to 39, banned until 49, away until the join. */
    private final EarlierMemberships earlier = EarlierMemberships.NONE
            .then(10, Membership.JOIN)
            .then(20, Membership.LEAVE)
            .then(30, Membership.INVITE)
            .then(40, Membership.BAN)
            .then(50, Membership.LEAVE);

    @Test
    void theMembershipIsThatOfThePosition() {
        assertThat(earlier.at(9)).isEqualTo(Membership.LEAVE);
        assertThat(earlier.at(10)).isEqualTo(Membership.JOIN);
        assertThat(earlier.at(19)).isEqualTo(Membership.JOIN);
        assertThat(earlier.at(35)).isEqualTo(Membership.INVITE);
        assertThat(earlier.at(40)).isEqualTo(Membership.BAN);
        assertThat(earlier.at(99)).isEqualTo(Membership.LEAVE);
    }

    @ParameterizedTest
    @CsvSource({
        "5, joined, false", "5, invited, false", "5, shared, true", "5, world_readable, true", "5, odd, true",
        "15, joined, true", "15, invited, true", "25, joined, false", "25, invited, false", "25, shared, true",
        "35, joined, false", "35, invited, true", "45, joined, false", "45, invited, false", "45, world_readable, true"
    })
    void replacedContentIsSeenByTheVisibilityAtItsPosition(long pos, String visibility, boolean seen) {
        var topic = Events.replacing(Events.state("n", "m.room.topic", "", BOB), "old", pos, visibility);
        assertThat(earlier.sawReplaced(topic.meta(), ADA)).isEqualTo(seen);
    }

    @Test
    void theEndOfTheOwnMembershipIsSeen() {
        var left = Events.replacing(
                Events.member("m", BOB, ADA, Membership.LEAVE, Membership.INVITE, 1, 1), "old", 20, "joined");
        assertThat(earlier.sawReplaced(left.meta(), ADA)).isTrue();
        assertThat(earlier.sawReplaced(left.meta(), BOB)).isFalse();
    }
}
