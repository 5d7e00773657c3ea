// SPDX-License-Identifier: Apache-2.0
package rookery.sync;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import rookery.model.event.Membership;
import rookery.model.id.DeviceId;
import rookery.model.id.RoomId;
import rookery.model.id.UserId;
import rookery.sync.testing.Answer;
import rookery.sync.testing.Events;
import rookery.sync.testing.SharesWorld;
import rookery.sync.testing.SyncNode;
import rookery.sync.testing.World;
import tools.jackson.databind.JsonNode;

/** Lazy loading from memory (contract.md 10.4): member events that all readers of a room share, read once for the node. */
@SharesWorld
class SyncMemberEventsIT {
    private static final int SHARD = 6;
    /** With a filter of the timeline, so that the node learns no member events from the answers to other readers. */
    private static final String LAZY = "filter="
            + URLEncoder.encode(
                    "{\"room\":{\"state\":{\"lazy_load_members\":true},\"timeline\":{\"not_types\":[\"never\"]}}}",
                    StandardCharsets.UTF_8);

    private static final String MEMBERS = "/internal/sync/members";

    @RegisterExtension
    static final World world = World.shared();

    private static SyncNode node;

    private final UserId bob = World.user("bob");
    private final List<UserId> readers =
            IntStream.range(0, 20).mapToObj(i -> World.user("reader")).toList();

    @BeforeAll
    static void start() {
        node = world.node();
    }

    private static Answer sync(UserId user, String more) {
        return node.get(user, "/_api/client/v3/sync?" + LAZY + more);
    }

    /** Polls of all readers, from before the next change. */
    private List<CompletableFuture<Answer>> polls(String more) {
        var tokens =
                readers.stream().map(reader -> sync(reader, "").nextBatch()).toList();
        var calls = new ArrayList<CompletableFuture<Answer>>();
        for (int i = 0; i < readers.size(); i++) {
            var query = "timeout=30000&" + LAZY + more + "&since=" + tokens.get(i);
            calls.add(node.getAsync(readers.get(i), new DeviceId("D"), "/_api/client/v3/sync?" + query));
        }
        return calls;
    }

    private RoomId joinedByAll() {
        return world.rooms.create(SHARD, bob, readers.toArray(UserId[]::new));
    }

    private static JsonNode member(JsonNode room, String section, UserId user) {
        for (var event : room.path(section).path("events")) {
            if (user.value().equals(event.path("state_key").stringValue(""))) {
                return event;
            }
        }
        throw new AssertionError("no member event of " + user + " in " + room);
    }

    @Test
    void aSenderIsReadOnceForAllReadersOfTheNode() {
        var room = joinedByAll();
        var calls = polls("");
        double cold = node.coldCalls();
        int before = world.roomService.calls(MEMBERS);
        world.roomService.hold(MEMBERS);
        world.rooms.send(room, bob, "hello");
        SyncNode.until(() -> world.roomService.calls(MEMBERS) > before);
        world.roomService.release();
        for (var call : calls) {
            var joined = call.join().joined(room);
            assertThat(Answer.names(joined.path("timeline").path("events"))).containsExactly("hello");
            assertThat(member(joined, "state", bob)
                            .path("unsigned")
                            .path("membership")
                            .stringValue(""))
                    .isIn("leave", ""); // bob joined before all readers
        }
        assertThat(world.roomService.calls(MEMBERS)).isEqualTo(before + 1);
        assertThat(node.coldCalls()).isEqualTo(cold);
    }

    @Test
    void aRenameIsReadOnceAndComesWithTheNameBefore() {
        var room = joinedByAll();
        var calls = polls("");
        double cold = node.coldCalls();
        int before = world.roomService.calls(MEMBERS);
        world.rooms.member(room, bob, bob, Membership.JOIN);
        for (var call : calls) {
            var joined = call.join().joined(room);
            var old = member(joined, "state", bob).path("event_id").stringValue();
            assertThat(member(joined, "timeline", bob).path("event_id").stringValue())
                    .isNotEqualTo(old);
        }
        assertThat(world.roomService.calls(MEMBERS) - before)
                .isLessThanOrEqualTo(2); // a reader may look after the call
        assertThat(node.coldCalls()).isEqualTo(cold);
    }

    @Test
    void theStateAfterHasTheSendersToo() {
        var room = joinedByAll();
        var calls = polls("&use_state_after=true");
        double cold = node.coldCalls();
        world.rooms.send(room, bob, "hello");
        for (var call : calls) {
            assertThat(member(call.join().joined(room), "state_after", bob)
                            .path("type")
                            .stringValue())
                    .isEqualTo("m.room.member");
        }
        assertThat(node.coldCalls()).isEqualTo(cold);
    }

    /** The content before a rename is hidden from the reader who joined after it, and shown to the one who was there. */
    @Test
    void eachReaderSeesReplacedContentByOwnMemberships() {
        var ada = readers.getFirst();
        var eve = World.user("eve");
        var room = world.rooms.create(SHARD, bob, ada);
        long joined = world.rooms.log().heads()[SHARD];
        world.rooms.send(
                room,
                Events.replacing(
                        Events.member("again" + bob.localpart(), bob, bob, Membership.JOIN, Membership.JOIN, 2, 0),
                        "first",
                        joined,
                        "joined"));
        world.rooms.member(room, eve, eve, Membership.JOIN);
        var adas = sync(ada, "").nextBatch();
        var eves = sync(eve, "").nextBatch();
        double cold = node.coldCalls();
        world.rooms.send(room, bob, "hello");
        var shown = member(sync(ada, "&since=" + adas).joined(room), "state", bob);
        var hidden = member(sync(eve, "&since=" + eves).joined(room), "state", bob);
        assertThat(shown.path("event_id")).isEqualTo(hidden.path("event_id"));
        assertThat(shown.path("unsigned").has("prev_content")).isTrue();
        assertThat(shown.path("unsigned").path("membership").stringValue()).isEqualTo("join");
        assertThat(hidden.path("unsigned").has("prev_content")).isFalse();
        assertThat(hidden.path("unsigned").path("membership").stringValue()).isEqualTo("leave");
        assertThat(node.coldCalls()).isEqualTo(cold);
    }

    /** Someone who leaves and comes again while connected is judged by room-service, not by the memberships before. */
    @Test
    void aReaderWhoCameAgainAsksTheOwner() {
        var ada = readers.getFirst();
        var room = world.rooms.create(SHARD, bob, ada);
        sync(ada, "");
        world.rooms.member(room, ada, ada, Membership.LEAVE);
        world.rooms.send(room, bob, "away");
        world.rooms.member(room, ada, ada, Membership.JOIN);
        var since = sync(ada, "").nextBatch();
        double cold = node.coldCalls();
        world.rooms.send(room, bob, "hello");
        assertThat(sync(ada, "&since=" + since).timeline(room)).containsExactly("hello");
        assertThat(node.coldCalls()).isEqualTo(cold + 1);
    }

    @Test
    void withoutTheCallEachReaderAsksTheOwner() {
        var room = world.rooms.create(SHARD, bob, readers.getFirst());
        var since = sync(readers.getFirst(), "").nextBatch();
        double cold = node.coldCalls();
        world.rooms.lacksMembers = true;
        try {
            world.rooms.send(room, bob, "hello");
            assertThat(sync(readers.getFirst(), "&since=" + since).timeline(room))
                    .containsExactly("hello");
        } finally {
            world.rooms.lacksMembers = false;
        }
        assertThat(node.coldCalls()).isEqualTo(cold + 1);
    }
}
