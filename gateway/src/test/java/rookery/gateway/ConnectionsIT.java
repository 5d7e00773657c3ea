package rookery.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import rookery.embedded.Deadline;
import rookery.embedded.TestServers;

/** The limits of connections of one address and of all addresses. */
class ConnectionsIT {
    private static final Path INSTANCES = TestServers.folder("connection-instances");
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int MOST = 5;
    private static final int OF_ALL_MAX = 20;

    private static RunningGateway gateway;

    @BeforeAll
    static void start() {
        gateway = new RunningGateway(
                TestServers.redis().url(),
                INSTANCES,
                "--rookery.rate-limit.enabled=false",
                "--rookery.connection.per-address=" + MOST,
                "--rookery.connection.most=" + OF_ALL_MAX,
                "--rookery.connection.unlimited="); // the clients of this test are in the loopback network
    }

    @AfterAll
    static void stop() {
        gateway.close();
    }

    @Test
    void oneAddressCannotHaveAllConnections() throws IOException {
        List<Socket> open = new ArrayList<>();
        try {
            for (int i = 0; i < MOST; i++) {
                open.add(connection("127.0.0.2"));
                assertThat(isAnswered(open.getLast())).isTrue();
            }
            try (var oneMore = connection("127.0.0.2");
                    var another = connection("127.0.0.3")) {
                assertThat(isAnswered(oneMore)).isFalse();
                assertThat(isAnswered(another)).as("another address").isTrue();
            }
            assertThat(isAnswered(open.getFirst())).as("those before go on").isTrue();
            open.removeFirst().close();
            assertThat(Deadline.in(PATIENCE).until(ConnectionsIT::isAdmitted))
                    .as("one that ended makes room")
                    .isTrue();
        } finally {
            for (var each : open) {
                each.close();
            }
        }
    }

    @Test
    void trustedProxyComesForMany() throws IOException {
        List<Socket> open = new ArrayList<>();
        try {
            for (int i = 0; i < 3 * MOST; i++) {
                open.add(connection("127.0.0.1"));
                assertThat(isAnswered(open.getLast())).isTrue();
            }
        } finally {
            for (var each : open) {
                each.close();
            }
        }
    }

    @Test
    void trustedProxiesTogetherHaveALimitToo() throws IOException {
        List<Socket> open = new ArrayList<>();
        try {
            for (int i = 0; i < OF_ALL_MAX; i++) {
                open.add(connection("127.0.0.1"));
                assertThat(isAnswered(open.getLast())).isTrue();
            }
            try (var oneMore = connection("127.0.0.1")) {
                assertThat(isAnswered(oneMore)).isFalse();
            }
            open.removeFirst().close();
            assertThat(Deadline.in(PATIENCE).until(ConnectionsIT::isAdmitted))
                    .as("one that ended makes room")
                    .isTrue();
        } finally {
            for (var each : open) {
                each.close();
            }
        }
    }

    private static boolean isAdmitted() {
        try (var socket = connection("127.0.0.2")) {
            return isAnswered(socket);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static Socket connection(String from) throws IOException {
        var socket = new Socket(InetAddress.getLoopbackAddress(), gateway.port, InetAddress.getByName(from), 0);
        socket.setSoTimeout((int) PATIENCE.toMillis());
        return socket;
    }

    /** Whether a request on this connection is answered; a refused connection is closed. */
    private static boolean isAnswered(Socket socket) {
        try {
            socket.getOutputStream()
                    .write("OPTIONS /_api/client/v3/login HTTP/1.1\r\nHost: alpha.test\r\nContent-Length: 0\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            byte[] start = socket.getInputStream().readNBytes("HTTP/1.1".length());
            socket.getInputStream().skip(socket.getInputStream().available());
            return start.length > 0;
        } catch (IOException e) {
            return false;
        }
    }
}
