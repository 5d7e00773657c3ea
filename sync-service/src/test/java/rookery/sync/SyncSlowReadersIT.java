// SPDX-License-Identifier: Apache-2.0
package rookery.sync;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import rookery.model.id.UserId;
import rookery.sync.testing.SharesWorld;
import rookery.sync.testing.SyncNode;
import rookery.sync.testing.World;

/** Clients that request much and read almost nothing. */
@SharesWorld
class SyncSlowReadersIT {
    private static final String SYNC = "/_api/client/v3/sync";
    /** A small answer, within the limit even on a busy machine. */
    private static final String SMALL = SYNC + "?filter="
            + URLEncoder.encode("{\"account_data\":{\"types\":[\"org.example.small\"]}}", StandardCharsets.UTF_8);

    @RegisterExtension
    static final World world = World.shared();

    private static SyncNode node;

    private final UserId ada = World.user("ada");
    private final UserId bob = World.user("bob");

    @BeforeAll
    static void start() {
        node = world.startNode("--rookery.tenants[0].presence=false", "--rookery.sync.waiting.write-max=500ms");
    }

    @Test
    void areCutAndLeaveNothingBehind() throws Exception {
        fill(ada);
        double cold = node.coldCalls();
        try (var socket = ask(ada)) {
            SyncNode.until(() -> node.coldCalls() > cold);
            SyncNode.until(() -> isCut(socket));
            SyncNode.until(() -> node.meter("sync_requests") == 0);
        }
        SyncNode.until(() -> node.get(ada, SMALL).status() == 200);
    }

    @Test
    void areCutAlthoughTheyReadALittleAgainAndAgain() throws Exception {
        fill(bob);
        try (var socket = ask(bob)) {
            SyncNode.until(() -> isCutAfter(socket, 32));
            SyncNode.until(() -> node.meter("sync_requests") == 0);
        }
    }

    private static void fill(UserId user) {
        String large = "{\"text\":\"" + "x".repeat(500_000) + "\"}";
        for (int i = 0; i < 16; i++) { // more than the buffers of both sockets
            world.users.set(user, null, "org.example.large" + i, large);
        }
        world.users.set(user, null, "org.example.small", "{\"n\":1}");
        SyncNode.until(() -> node.get(user, SMALL).body().contains("org.example.small"));
    }

    private static Socket ask(UserId user) throws IOException {
        var socket = new Socket();
        socket.setReceiveBufferSize(4096);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), node.port()));
        socket.getOutputStream().write(request(user).getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private static String request(UserId user) {
        return "GET " + SYNC + " HTTP/1.1\r\nHost: s\r\n" + node.callerHeader(user, SYNC) + "\r\n\r\n";
    }

    /**
     * Whether the connection is cut after this number of bytes; the kernel's buffers may still hold more bytes than the server
     * waits for.
     */
    private static boolean isCutAfter(Socket socket, int bytes) {
        try {
            return socket.getInputStream().readNBytes(bytes).length < bytes || isCut(socket);
        } catch (IOException e) {
            return true;
        }
    }

    /** Whether the server has closed: sending fails. Reads nothing. */
    private static boolean isCut(Socket socket) {
        try {
            socket.getOutputStream().write('\n');
            return false;
        } catch (IOException e) {
            return true;
        }
    }
}
