// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.entrance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import rookery.gateway.routing.Destination.Kind;
import rookery.model.error.ApiException;

class WaitingRequestsTest {
    private static final int ONE = 1;
    private static final int OTHER = 2;

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final WaitingRequests requests =
            new WaitingRequests(new WaitingProperties(2, Duration.ofMillis(250)), meters);

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            mode = Mode.EXCLUDE,
            names = {"LONG_POLL", "DOWNLOAD", "UPLOAD"})
    void excessIsRefusedAtOnce(Kind kind) {
        wait(kind, Mono.never());
        wait(kind, Mono.never());
        for (var refused : new Runnable[] {
            () -> requests.requirePlace(ONE, kind),
            () -> requests.within(exchange(), ONE, kind, Mono.never()).block()
        }) {
            assertThatExceptionOfType(ApiException.class)
                    .isThrownBy(refused::run)
                    .satisfies(refusal -> assertThat(refusal.status).isEqualTo(503))
                    .satisfies(refusal -> assertThat(refusal.retryAfterSeconds).isEqualTo(2));
        }
        assertThat(waiting()).isEqualTo(2);
        assertThat(meters.counter("gateway_waiting_refused").count()).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"LONG_POLL", "DOWNLOAD", "UPLOAD"})
    void pollsAndFilesAreNotCounted(Kind kind) {
        wait(Kind.REQUEST, Mono.never());
        wait(Kind.REQUEST, Mono.never());
        requests.requirePlace(ONE, kind);
        requests.within(exchange(), ONE, kind, Mono.empty()).block();
        assertThat(waiting()).isEqualTo(2);
    }

    @Test
    void placeIsFreeWhenTheAnswerBegins() {
        var exchange = exchange();
        var read = Sinks.<Void>empty();
        requests.within(
                        exchange,
                        ONE,
                        Kind.REQUEST,
                        Mono.defer(exchange.getResponse()::setComplete).then(read.asMono()))
                .subscribe();
        assertThat(waiting()).isZero();
        read.tryEmitEmpty().orThrow();
        assertThat(waiting()).isZero();
    }

    @Test
    void placeIsFreeHoweverTheRequestEnds() {
        requests.within(exchange(), ONE, Kind.REQUEST, Mono.empty()).block();
        requests.within(exchange(), ONE, Kind.REQUEST, Mono.error(new IllegalStateException()))
                .onErrorComplete()
                .block();
        requests.within(exchange(), ONE, Kind.REQUEST, Mono.never()).subscribe().dispose();
        assertThat(waiting()).isZero();
    }

    @Test
    void aTenantThatFillsAllPlacesRefusesNobodyElse() {
        wait(Kind.REQUEST, Mono.never());
        wait(Kind.REQUEST, Mono.never());
        requests.requirePlace(OTHER, Kind.REQUEST);
        requests.within(exchange(), OTHER, Kind.REQUEST, Mono.never()).subscribe();
        assertThatExceptionOfType(ApiException.class)
                .as("the average is one place")
                .isThrownBy(() -> requests.requirePlace(OTHER, Kind.REQUEST));
        assertThat(waiting()).isEqualTo(3);
    }

    private void wait(Kind kind, Mono<Void> answer) {
        requests.within(exchange(), ONE, kind, answer).subscribe();
    }

    private double waiting() {
        return meters.get("gateway_waiting_requests").gauge().value();
    }

    private static MockServerWebExchange exchange() {
        return MockServerWebExchange.from(MockServerHttpRequest.put("/"));
    }
}
