// SPDX-License-Identifier: Apache-2.0
package rookery.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Sinks;
import rookery.embedded.Deadline;
import rookery.embedded.TestServers;
import rookery.gateway.Upstream.Reply;

/** Sends of one client while room-service does not answer (decision 0029). */
class FloodIT {
    private static final String SEND = "/_api/client/v3/rooms/!r:alpha.test/send/m.room.message/";
    private static final String ROOMS = "/_api/client/v3/joined_rooms";
    private static final Path INSTANCES = TestServers.folder("flood-instances");
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int OWN_SHARE = 5;

    @Test
    void excessOfOneClientIsRefusedBeforeItsTokenIsLookedUp() {
        Sinks.Empty<Void> answers = Sinks.empty();
        try (var auth = new Upstream(FloodIT::known);
                var room = Upstream.answering(200, "{}")) {
            RunningGateway.register(INSTANCES, "auth-service-1", auth.address());
            RunningGateway.register(INSTANCES, "room-service-1", room.address());
            try (var gateway = new RunningGateway(
                    TestServers.redis().url(),
                    INSTANCES,
                    "--rookery.rate-limit.enabled=false",
                    "--rookery.waiting.most=" + 8 * OWN_SHARE)) {
                room.pause = answers.asMono();
                var waiting = new ArrayList<CompletableFuture<HttpResponse<String>>>();
                for (int i = 0; i < OWN_SHARE; i++) {
                    waiting.add(send(gateway, "flood", i));
                    int number = i + 1;
                    assertThat(Deadline.in(PATIENCE).until(() -> room.seen.size() == number))
                            .isTrue();
                }
                int questions = auth.seen.size();

                var refused = send(gateway, "flood", OWN_SHARE).join();

                GatewayIT.assertError(refused, 503, "M_UNKNOWN");
                assertThat(refused.headers().firstValue("Retry-After")).isPresent();
                assertThat(auth.seen).hasSize(questions);
                waiting.add(send(gateway, "another", 0));
                waiting.add(gateway.getAsync(ROOMS, "Authorization", "Bearer flood"));
                assertThat(Deadline.in(PATIENCE).until(() -> room.seen.size() == OWN_SHARE + 2))
                        .as("another client, and another request of the same client")
                        .isTrue();
                answers.tryEmitEmpty();
                assertThat(waiting.stream().map(CompletableFuture::join).map(HttpResponse::statusCode))
                        .containsOnly(200);
                assertThat(send(gateway, "flood", OWN_SHARE).join().statusCode())
                        .isEqualTo(200);
            }
        }
    }

    private static CompletableFuture<HttpResponse<String>> send(RunningGateway gateway, String token, int txnId) {
        return gateway.sendAsync(gateway.request(SEND + token + txnId, "Authorization", "Bearer " + token)
                .PUT(BodyPublishers.ofString("{}")));
    }

    private static Reply known(Upstream.SeenRequest seen) {
        return new Reply(
                200, "{\"state\":\"known\",\"user\":\"@ada:alpha.test\",\"device\":\"D\",\"admin\":false}", Map.of());
    }
}
