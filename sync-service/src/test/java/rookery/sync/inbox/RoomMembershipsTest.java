// SPDX-License-Identifier: Apache-2.0
package rookery.sync.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import rookery.model.event.Membership;
import rookery.model.id.RoomId;
import rookery.model.id.Shards;
import rookery.model.token.Positions;
import rookery.model.topic.EventMeta.MembershipChange;
import rookery.sync.unread.Name;

class RoomMembershipsTest {
    private static final RoomId ROOM = new RoomId("!r:s");
    private static final int SHARD = 3;
    private static final MembershipChange RENAMED = new MembershipChange(Membership.JOIN, Membership.JOIN);

    private final RoomMemberships memberships = new RoomMemberships();

    /** The look's positions are read before the memberships, which go on meanwhile. */
    @Test
    void roomIsUnclearWhenAllKnownSpansAreAfterTheLook() {
        memberships.gather();
        var room = new MembershipsClient.RoomMembership(ROOM, SHARD, Membership.JOIN, 5, 5L, null);
        memberships.install(new MembershipsClient.Snapshot(1, positions(10), List.of(room), null));
        rename(12);
        rename(13);

        assertThat(unclear(10, 11)).containsExactly(ROOM);
        assertThat(unclear(12, 13))
                .as("with a ring it would be read from memory")
                .containsExactly(ROOM);
        assertThat(listed(11)).containsExactly(5L);
        assertThat(listed(12)).containsExactly(12L);
        for (long pos = 14; pos < 30; pos++) {
            rename(pos);
        }
        assertThat(listed(29)).containsExactly(29L);
        assertThat(memberships.listed(Positions.of(positions(12))))
                .as("the caller looks again, at later positions")
                .isNull();
    }

    private List<Long> listed(long upto) {
        var rooms = Objects.requireNonNull(memberships.listed(Positions.of(positions(upto))));
        return rooms.stream().map(ListedRoom::membershipPos).toList();
    }

    private void rename(long pos) {
        memberships.apply(new OwnMemberEvent(ROOM, SHARD, pos, RENAMED, new Name("Ada")));
    }

    private List<RoomId> unclear(long since, long upto) {
        var news = memberships.news(Positions.of(positions(since)), Positions.of(positions(upto)));
        return Objects.requireNonNull(news).unclear();
    }

    private static long[] positions(long pos) {
        var all = new long[Shards.COUNT];
        Arrays.fill(all, pos);
        return all;
    }
}
