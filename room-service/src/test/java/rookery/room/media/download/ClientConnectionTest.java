// SPDX-License-Identifier: Apache-2.0
package rookery.room.media.download;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.springframework.http.server.reactive.ReactorHttpHandlerAdapter;
import org.springframework.web.server.adapter.WebHttpHandlerBuilder;
import reactor.core.publisher.Mono;
import reactor.netty.http.server.HttpServer;
import rookery.embedded.Deadline;

/** The server detects a client's disconnect. */
class ClientConnectionTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @Test
    void whoHangsUpIsGone() throws IOException {
        var request = new CompletableFuture<ClientConnection>();
        var handler = WebHttpHandlerBuilder.webHandler(exchange -> {
                    request.complete(ClientConnection.of(exchange));
                    return Mono.never();
                })
                .build();
        var server = HttpServer.create()
                .host("127.0.0.1")
                .port(0)
                .handle(new ReactorHttpHandlerAdapter(handler))
                .bindNow(PATIENCE);
        try {
            ClientConnection client;
            try (var socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
                socket.getOutputStream().write("GET / HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(US_ASCII));
                client = request.join();
                assertThat(client.isClosed()).isFalse();
            }
            assertThat(Deadline.in(PATIENCE).until(client::isClosed)).isTrue();
        } finally {
            server.disposeNow(PATIENCE);
        }
    }
}
