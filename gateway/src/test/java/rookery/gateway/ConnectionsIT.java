// SPDX-License-Identifier: Apache-2.0
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
import org.junit.jupiter.api.AfterEach;
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

    private final List<Socket> open = new ArrayList<>();

    @AfterEach
    void closeAll() throws IOException {
        for (var socket : open) {
            socket.close();
        }
    }

    @Test
    void oneAddressCannotHaveAllConnections() throws IOException {
        openAndUse(MOST, "127.0.0.2");
        try (var oneMore = connection("127.0.0.2");
                var another = connection("127.0.0.3")) {
            assertThat(isAnswered(oneMore)).isFalse();
            assertThat(isAnswered(another)).as("another address").isTrue();
        }
        assertThat(isAnswered(open.getFirst()))
                .as("earlier connections continue")
                .isTrue();
        assertClosingOneMakesRoom();
    }

    @Test
    void trustedProxyComesForMany() throws IOException {
        openAndUse(3 * MOST, "127.0.0.1");
    }

    @Test
    void trustedProxiesTogetherHaveALimitToo() throws IOException {
        openAndUse(OF_ALL_MAX, "127.0.0.1");
        try (var oneMore = connection("127.0.0.1")) {
            assertThat(isAnswered(oneMore)).isFalse();
        }
        assertClosingOneMakesRoom();
    }

    private void openAndUse(int count, String from) throws IOException {
        for (int i = 0; i < count; i++) {
            open.add(connection(from));
            assertThat(isAnswered(open.getLast())).isTrue();
        }
    }

    private void assertClosingOneMakesRoom() throws IOException {
        open.removeFirst().close();
        assertThat(Deadline.in(PATIENCE).until(ConnectionsIT::isAdmitted)).isTrue();
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
