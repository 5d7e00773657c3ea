// SPDX-License-Identifier: Apache-2.0
package rookery.gateway;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;
import rookery.embedded.Deadline;
import rookery.embedded.TestServers;

/** Clients that do not read answers, or not completely, and services that do not complete answers. */
class UnreadAnswersIT {
    private static final Path INSTANCES = TestServers.folder("unread-instances");
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final String DOWNLOAD = "/_api/media/v3/download/alpha.test/";

    private static Files files;
    private static RunningGateway gateway;

    @BeforeAll
    static void start() throws IOException {
        files = new Files();
        RunningGateway.register(INSTANCES, "room-service-1", "127.0.0.1:" + files.server.getLocalPort());
        gateway = new RunningGateway(
                TestServers.redis().url(),
                INSTANCES,
                "--rookery.rate-limit.enabled=false",
                "--rookery.connection.write-max=500ms");
    }

    @AfterAll
    static void stop() throws IOException {
        gateway.close();
        files.server.close();
    }

    @Test
    void ninthDownloadOfAClientIsToldToWaitUntilOneHasEnded() throws IOException {
        List<Socket> open = new ArrayList<>();
        try {
            for (int i = 0; i < 8; i++) {
                open.add(ask("held", "198.51.100.1"));
                assertThat(status(open.getLast())).isEqualTo("HTTP/1.1 200 OK");
            }
            var refused = gateway.get(DOWNLOAD + "held", "X-Forwarded-For", "198.51.100.1");
            GatewayIT.assertError(refused, 429, "M_LIMIT_EXCEEDED");
            assertThat(refused.headers().firstValue("Retry-After")).hasValue("1");
            assertThat(refused.body()).contains("\"retry_after_ms\":1000");
            try (var other = ask("held", "198.51.100.2")) {
                assertThat(status(other)).as("another client").isEqualTo("HTTP/1.1 200 OK");
            }
            open.removeFirst().close();
            assertThat(Deadline.in(PATIENCE).until(() -> isAdmitted("198.51.100.1")))
                    .as("a client that hangs up makes room")
                    .isTrue();
        } finally {
            for (var each : open) {
                each.close();
            }
        }
    }

    @Test
    void clientThatReadsNothingIsCut() throws Exception {
        try (var _ = ask("endless", "198.51.100.3")) {
            assertThat(files.abandoned.await(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"chunked-reset", "chunked-closed", "counted-reset", "counted-closed"})
    void answerThatAServiceCutsIsCutForTheClientAndSaidInOneLine(String file) throws IOException {
        var lines = new ListAppender<ILoggingEvent>();
        lines.start();
        var loggers = Stream.of(
                        "rookery.platform.http.CutAnswer",
                        "reactor.netty.http.server",
                        "org.springframework.web.server.adapter.HttpWebHandlerAdapter")
                .map(name -> (Logger) LoggerFactory.getLogger(name))
                .toList();
        loggers.forEach(logger -> listen(logger, Level.INFO, lines));
        try (var socket = ask(file, "198.51.100.4")) {
            var in = new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII));
            assertThat(in.readLine()).isEqualTo("HTTP/1.1 200 OK");
            var begun = new StringBuilder();
            while (begun.indexOf("begun") < 0) {
                begun.append((char) in.read());
            }
            files.cut.release();
            assertThat(in.readAllAsString()).doesNotContain("0");
        } finally {
            loggers.forEach(logger -> listen(logger, null, null));
        }
        assertThat(List.copyOf(lines.list))
                .noneMatch(line -> line.getThrowableProxy() != null)
                .extracting(ILoggingEvent::getFormattedMessage)
                .containsExactly("an answer was cut");
    }

    private static void listen(Logger logger, @Nullable Level level, @Nullable ListAppender<ILoggingEvent> lines) {
        logger.setLevel(level);
        if (lines == null) {
            logger.detachAndStopAllAppenders();
        } else {
            logger.addAppender(lines);
        }
    }

    private static boolean isAdmitted(String client) {
        try (var socket = ask("held", client)) {
            return status(socket).equals("HTTP/1.1 200 OK");
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static Socket ask(String file, String client) throws IOException {
        var socket = new Socket();
        socket.setReceiveBufferSize(4096);
        socket.setSoTimeout((int) PATIENCE.toMillis());
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), gateway.port));
        socket.getOutputStream()
                .write(("GET " + DOWNLOAD + file + " HTTP/1.1\r\nHost: alpha.test\r\nX-Forwarded-For: " + client
                                + "\r\n\r\n")
                        .getBytes(US_ASCII));
        return socket;
    }

    private static String status(Socket socket) throws IOException {
        return new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII)).readLine();
    }

    /** Stands in for a room-service whose files are endless or incomplete. */
    private static final class Files {
        private static final String HEAD = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n";
        private static final String CHUNKED = HEAD + "Transfer-Encoding: chunked\r\n\r\n5\r\nbegun\r\n";
        private static final String COUNTED = HEAD + "Content-Length: 1000000000\r\n\r\nbegun";

        final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        /** One incomplete answer is cut for each permit. */
        final Semaphore cut = new Semaphore(0);

        /** Zero when the endless file is no longer read. */
        final CountDownLatch abandoned = new CountDownLatch(1);

        Files() throws IOException {
            Thread.ofPlatform().daemon().start(this::serve);
        }

        private void serve() {
            try {
                while (true) {
                    var socket = server.accept();
                    Thread.ofVirtual().start(() -> answer(socket));
                }
            } catch (IOException e) {
                // the test has ended
            }
        }

        private void answer(Socket socket) {
            try (socket) {
                var in = new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII));
                String file = in.readLine();
                while (!in.readLine().isEmpty()) {}
                socket.getOutputStream().write((file.contains("chunked") ? CHUNKED : COUNTED).getBytes(US_ASCII));
                if (file.contains("held")) {
                    in.read(); // until the gateway closes the connection
                } else if (file.contains("endless")) {
                    write(socket);
                } else {
                    cut.acquireUninterruptibly();
                    socket.setSoLinger(file.contains("reset"), 0);
                }
            } catch (IOException e) {
                // closed by the gateway
            }
        }

        private void write(Socket socket) {
            try {
                while (true) {
                    socket.getOutputStream().write(new byte[64 << 10]);
                }
            } catch (IOException e) {
                abandoned.countDown();
            }
        }
    }
}
