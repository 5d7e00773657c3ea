// SPDX-License-Identifier: Apache-2.0
package rookery.sync;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import rookery.model.id.DeviceId;
import rookery.model.id.RoomId;
import rookery.model.id.UserId;
import rookery.sync.testing.Answer;
import rookery.sync.testing.Events;
import rookery.sync.testing.SharesWorld;
import rookery.sync.testing.SyncNode;
import rookery.sync.testing.World;

/** Answers that are large compared with the memory for answers. */
@SharesWorld
class SyncLargeAnswersIT {
    private static final String SYNC = "/_api/client/v3/sync?";
    private static final String RESERVED = "answers_reserved_bytes";
    private static final String LARGE = "x".repeat(60_000);

    @RegisterExtension
    static final World world = World.shared();

    private static SyncNode node;

    private final UserId ada = World.user("ada");
    private final UserId bob = World.user("bob");

    @BeforeAll
    static void start() {
        node = world.startNode("--rookery.tenants[0].presence=false", "--rookery.http.answers=8MB");
    }

    private void send(RoomId room, String name) {
        String content = "{\"body\":\"" + LARGE + "\"}";
        world.rooms.send(room, Events.event(name, "m.room.message", bob, null, content));
    }

    private RoomId room() {
        return world.rooms.create(1, ada, bob);
    }

    @Test
    void newsThatNoAnswerHoldsAreToldRoomAfterRoom() {
        var rooms = new ArrayList<RoomId>();
        for (int i = 0; i < 60; i++) {
            rooms.add(room());
        }
        var since = node.get(ada, SYNC).nextBatch();
        rooms.forEach(room -> send(room, "large" + room.value().hashCode()));

        var answer = node.get(ada, SYNC + "since=" + since);

        assertThat(answer.status()).isEqualTo(200);
        for (var room : rooms) {
            assertThat(answer.timeline(room)).contains("large" + room.value().hashCode());
        }
        assertThat(node.get(ada, SYNC + "since=" + answer.nextBatch())
                        .json()
                        .path("rooms")
                        .path("join")
                        .size())
                .isZero();
        SyncNode.until(() -> node.meter(RESERVED) == 0);
    }

    @Test
    void roomWhoseStateIsLargeIsToldAtFirstAndWhenItIsNew() {
        var since = node.get(ada, SYNC).nextBatch();
        var room = room();
        for (int i = 0; i < 40; i++) {
            String content = "{\"text\":\"" + LARGE + "\"}";
            world.rooms.send(
                    room, Events.event("state" + i + ada.localpart(), "org.example.large", bob, "k" + i, content));
        }
        for (var query : List.of("", "since=" + since)) {
            var answer = node.get(ada, SYNC + query);
            assertThat(answer.status()).as(query).isEqualTo(200);
            assertThat(answer.joined(room).toString().length()).isGreaterThan(40 * LARGE.length());
        }
    }

    @Test
    void userWhoReadsNothingLeavesRoomForSmallAnswersOfOthers() throws Exception {
        world.users.set(ada, null, "org.example.large", "{\"text\":\"" + "x".repeat(600_000) + "\"}");
        SyncNode.until(() -> node.get(ada, SYNC).body().length() > 600_000);
        var sockets = new ArrayList<Socket>();
        try {
            for (int i = 0; i < 4; i++) {
                sockets.add(ask(ada));
            }
            SyncNode.until(() -> node.meter(RESERVED) > 1_000_000);
            for (int i = 0; i < 20; i++) {
                assertThat(node.get(bob, SYNC).status()).isEqualTo(200);
            }
        } finally {
            for (var socket : sockets) {
                socket.close();
            }
        }
        SyncNode.until(() -> node.meter(RESERVED) == 0);
    }

    private static Socket ask(UserId user) throws Exception {
        var socket = new Socket();
        socket.setReceiveBufferSize(4096);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), node.port()));
        String path = "/_api/client/v3/sync";
        socket.getOutputStream()
                .write(("GET " + path + " HTTP/1.1\r\nHost: s\r\n" + node.callerHeader(user, path) + "\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    @Test
    void messagesToADeviceEndByBytesAndAllCome() {
        var phone = new DeviceId("PHONE");
        var since = get(phone, "timeout=0").nextBatch();
        for (int i = 0; i < 5; i++) {
            world.users.send(ada, phone, "m.test", "{\"n\":" + i + ",\"text\":\"" + "x".repeat(250_000) + "\"}");
        }
        var numbers = new ArrayList<Integer>();
        var sizes = new ArrayList<Integer>();
        for (int i = 0; i < 2; i++) {
            var answer = get(phone, "timeout=0&since=" + since);
            var events = answer.json().path("to_device").path("events");
            events.forEach(event -> numbers.add(event.path("content").path("n").intValue()));
            sizes.add(events.size());
            since = answer.nextBatch();
        }
        assertThat(numbers).isEqualTo(List.of(0, 1, 2, 3, 4));
        assertThat(sizes).isEqualTo(List.of(4, 1));
    }

    private Answer get(DeviceId device, String query) {
        return node.getAsync(ada, device, SYNC + query).join();
    }
}
