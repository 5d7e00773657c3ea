// SPDX-License-Identifier: Apache-2.0
package rookery.room;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.r2dbc.core.DatabaseClient;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Clients that disconnect during an answer, and cancelled queries, give their database connections back. */
class HangingUpIT {
    /** Several portions: the next is requested before the client has taken the first. */
    private static final int STATE = 400;

    private static final int READERS = 300;
    private static final int AT_ONCE = 24;
    private static final int POOL = 12;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @RegisterExtension
    static final RoomServer server = RoomServer.own();

    private static String room;

    @BeforeAll
    static void fill() {
        var ada = server.as("ada");
        room = ada.createRoom("{}");
        Flux.range(0, STATE)
                .flatMap(
                        key -> Mono.fromCallable(() -> ada.put("/rooms/" + room + "/state/test.state/" + key, "{}"))
                                .subscribeOn(Schedulers.boundedElastic()),
                        AT_ONCE)
                .doOnNext(answer -> assertThat(answer.status()).isEqualTo(200))
                .blockLast();
    }

    @Test
    void connectionsAreUsableAfterReadersHungUp() {
        String path = "/_api/client/v3/rooms/" + room.replace("!", "%21") + "/state";
        try (var http = HttpClient.newHttpClient()) {
            Flux.range(0, READERS)
                    .flatMap(
                            reader -> hangUp(
                                    http, server.as("ada").request("GET", path).build(), reader),
                            AT_ONCE)
                    .blockLast();
        }
        assertAllConnectionsAnswer();
    }

    @Test
    void connectionsAreUsableAfterQueriesWereCancelled() {
        var db = server.bean(DatabaseClient.class);
        Flux.range(0, READERS)
                .flatMap(
                        reader -> Mono.defer(() -> {
                            var query = db.sql("SELECT s FROM generate_series(1, 400) s, pg_sleep(0.002)")
                                    .mapValue(Integer.class)
                                    .all()
                                    .subscribe();
                            return cancelled(reader, query::dispose);
                        }),
                        AT_ONCE)
                .blockLast();
        assertAllConnectionsAnswer();
    }

    private static void assertAllConnectionsAnswer() {
        var db = server.bean(DatabaseClient.class);
        var answered = Flux.range(0, POOL)
                .flatMap(
                        _ -> db.sql("SELECT 1 FROM pg_sleep(0.2)")
                                .mapValue(Integer.class)
                                .one(),
                        POOL)
                .count()
                .block(PATIENCE);
        assertThat(answered).isEqualTo(POOL);
    }

    private static Mono<Void> hangUp(HttpClient http, HttpRequest request, int reader) {
        return Mono.defer(() -> {
            CompletableFuture<?> answer = http.sendAsync(request, BodyHandlers.discarding());
            return cancelled(reader, () -> answer.cancel(true));
        });
    }

    /** Cancels some readers at once, others after the first bytes. */
    private static Mono<Void> cancelled(int reader, Runnable cancelling) {
        return Mono.delay(Duration.ofMillis(reader % 40))
                .doOnNext(_ -> cancelling.run())
                .then();
    }
}
