package rookery.sync;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import rookery.model.id.UserId;
import rookery.sync.testing.SyncNode;
import rookery.sync.testing.World;

/** Clients that ask for much and read nothing. */
class SyncSlowReadersIT {
    private static final String SYNC = "/_api/client/v3/sync";

    private static World world;
    private static SyncNode node;

    private final UserId ada = new UserId("@ada:s");

    @BeforeAll
    static void start() {
        world = new World();
        node = world.startNode("--rookery.tenants[0].presence=false", "--rookery.sync.waiting.write-max=500ms");
    }

    @AfterAll
    static void stop() {
        world.close();
    }

    @Test
    void areCutAndLeaveNothingBehind() throws Exception {
        String large = "{\"text\":\"" + "x".repeat(500_000) + "\"}";
        for (int i = 0; i < 16; i++) { // more than the sockets hold between them
            world.users.set(ada, null, "org.example.large" + i, large);
        }
        SyncNode.until(() -> node.get(ada, SYNC).status() == 200);
        double cold = node.coldCalls();
        try (var socket = new Socket()) {
            socket.setReceiveBufferSize(4096);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), node.port()));
            socket.getOutputStream().write(request().getBytes(StandardCharsets.US_ASCII));
            SyncNode.until(() -> node.coldCalls() > cold);
            SyncNode.until(() -> isCut(socket));
            SyncNode.until(() -> node.meter("sync_requests") == 0);
        }
        SyncNode.until(() -> node.get(ada, SYNC).status() == 200);
    }

    private String request() {
        return "GET " + SYNC + " HTTP/1.1\r\nHost: s\r\n" + node.callerHeader(ada) + "\r\n\r\n";
    }

    /** Whether the other side has closed: what is sent to it is refused. Nothing is read. */
    private static boolean isCut(Socket socket) {
        try {
            socket.getOutputStream().write('\n');
            return false;
        } catch (IOException e) {
            return true;
        }
    }
}
