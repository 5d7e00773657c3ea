// SPDX-License-Identifier: Apache-2.0
package rookery.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import rookery.model.event.Membership;
import rookery.model.id.RoomId;
import rookery.model.id.UserId;
import rookery.sync.testing.Answer;
import rookery.sync.testing.SharesWorld;
import rookery.sync.testing.SyncNode;
import rookery.sync.testing.World;

/** Complete answers, which are sent while read: no service keeps a whole answer in memory. */
@SharesWorld
class SyncWholeIT {
    private static final String SYNC = "/_api/client/v3/sync?";

    @RegisterExtension
    static final World world = World.shared();

    private static SyncNode node;

    private final UserId ada = World.user("ada");
    private final UserId bob = World.user("bob");

    @BeforeAll
    static void start() {
        node = world.node();
    }

    @AfterEach
    void whole() {
        world.rooms.linesMax = Integer.MAX_VALUE;
    }

    private List<RoomId> rooms(int count) {
        var rooms = new ArrayList<RoomId>();
        for (int i = 0; i < count; i++) {
            var room = world.rooms.create(i % 16, ada, bob);
            world.rooms.send(room, bob, "hello" + room.value().hashCode());
            rooms.add(room);
        }
        return rooms;
    }

    @Test
    void manyRoomsOfAllSectionsAreTold() {
        var rooms = rooms(40);
        var invited = world.rooms.create(3, bob);
        world.rooms.member(invited, bob, ada, Membership.INVITE);
        var answer = node.get(ada, SYNC);
        for (var room : rooms) {
            assertThat(answer.timeline(room)).endsWith("hello" + room.value().hashCode());
            assertThat(answer.joined(room).path("unread_notifications").size()).isEqualTo(2);
        }
        assertThat(answer.json().path("rooms").path("join").size()).isEqualTo(40);
        assertThat(answer.json().path("rooms").path("invite").propertyNames()).containsExactly(invited.value());
        assertThat(answer.json().path("rooms").path("leave").isObject()).isTrue();
        var full = node.get(ada, SYNC + "full_state=true&since=" + answer.nextBatch());
        assertThat(full.json().path("rooms").path("join").size()).isEqualTo(40);
        assertThat(full.joined(rooms.getFirst()).path("state").path("events").size())
                .isPositive();
    }

    @Test
    void whoIsInNoRoomIsAnswered() {
        var answer = node.get(ada, SYNC);
        assertThat(answer.status()).isEqualTo(200);
        for (var section : List.of("join", "invite", "knock", "leave")) {
            assertThat(answer.json().path("rooms").path(section).size()).isZero();
        }
    }

    @Test
    void anAnswerWhoseMakerDiesBeforeItsFirstRoomsIsRefused() {
        rooms(3);
        for (int lines = 0; lines <= 4; lines++) {
            world.rooms.linesMax = lines;
            assertThat(node.get(ada, SYNC).status()).as("after %s lines", lines).isEqualTo(503);
        }
    }

    @Test
    void anAnswerWhoseMakerDiesLaterNeverLooksLikeAWholeOne() {
        rooms(30);
        world.rooms.linesMax = 20;
        assertThatThrownBy(() -> node.get(ada, SYNC)).hasRootCauseInstanceOf(IOException.class);
        world.rooms.linesMax = Integer.MAX_VALUE;
        assertThat(node.get(ada, SYNC).json().path("rooms").path("join").size()).isEqualTo(30);
    }

    @Test
    void aGapThatIsCutOffIsRefused() {
        var room = rooms(1).getFirst();
        var since = node.get(ada, SYNC).nextBatch();
        for (int i = 0; i < 300; i++) {
            world.rooms.send(room, bob, "much" + i + ada.localpart());
        }
        world.rooms.linesMax = 1;
        Answer refused = node.get(ada, SYNC + "since=" + since);
        assertThat(refused.status()).isEqualTo(503);
        world.rooms.linesMax = Integer.MAX_VALUE;
        assertThat(node.get(ada, SYNC + "since=" + since).timeline(room)).hasSize(10);
    }
}
