// SPDX-License-Identifier: Apache-2.0
package rookery.platform.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.ConnectException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.StepVerifier;
import rookery.model.caller.Caller;
import rookery.model.caller.Caller.Anonymous;
import rookery.model.caller.Caller.Reason;
import rookery.model.id.ServerName;
import rookery.model.id.TenantId;
import rookery.platform.instance.Instance;

class LocalServiceTest {
    private static final Caller CALLER = new Caller(
            new TenantId(1), new ServerName("alpha.test"), new Anonymous(Reason.MISSING), "::1", "id", Instant.EPOCH);

    private final MockServerWebExchange client = MockServerWebExchange.from(
            MockServerHttpRequest.get("/_matrix/client/v3/x").header(CallerSignature.HEADER, "forged"));
    private final LocalServices services = new LocalServices();

    private LocalCall call(Duration patience) {
        return new LocalCall(
                client,
                URI.create("http://room:1/_api/client/v3/x?a=b"),
                new HttpHeaders(),
                CALLER,
                headers -> {
                    var passed = new HttpHeaders();
                    passed.addAll(headers);
                    passed.remove("X-Inner");
                    return passed;
                },
                patience);
    }

    private static Mono<Void> write(ServerHttpResponse response, String text) {
        return response.writeWith(
                Mono.fromSupplier(() -> response.bufferFactory().wrap(text.getBytes(UTF_8))));
    }

    @Test
    void serviceSeesItsOwnRequestAndTheCallerOfTheGateway() {
        var service = services.add("room-service-1", (request, response) -> {
            assertThat(LocalService.callerOf(request)).isSameAs(CALLER);
            assertThat(request.getURI().getPath()).isEqualTo("/_api/client/v3/x");
            assertThat(request.getQueryParams().getFirst("a")).isEqualTo("b");
            assertThat(request.getHeaders().isEmpty()).isTrue();
            response.setStatusCode(HttpStatus.ACCEPTED);
            response.getHeaders().set("X-Inner", "1");
            response.getHeaders().set("X-Outer", "1");
            assertThat(client.getResponse().getHeaders().isEmpty()).isTrue();
            return write(response, "{}");
        });
        service.answer(call(Duration.ofMinutes(1))).block();
        assertThat(client.getResponse().getStatusCode()).isEqualTo(HttpStatus.ACCEPTED);
        assertThat(client.getResponse().getHeaders().headerNames()).containsExactly("X-Outer");
        assertThat(client.getResponse().getBodyAsString().block()).isEqualTo("{}");
    }

    @Test
    void requestOverAConnectionHasNoCallerWithoutASignature() {
        assertThat(LocalService.callerOf(client.getRequest())).isNull();
    }

    @Test
    void refusalAfterAFailedBodyHasALengthOfItsOwn() {
        var service = services.add("room-service-1", (_, response) -> {
            response.getHeaders().setContentType(MediaType.TEXT_PLAIN);
            response.getHeaders().setContentLength(1_000_000);
            return response.writeWith(Mono.error(new IllegalStateException()))
                    .onErrorResume(_ -> write(response, "{}"));
        });
        service.answer(call(Duration.ofMinutes(1))).block();
        assertThat(client.getResponse().getHeaders().getContentLength()).isEqualTo(-1);
        assertThat(client.getResponse().getHeaders().getContentType()).isNull();
    }

    @Test
    void cancelledRequestCannotWriteAnyMore() {
        Sinks.Empty<Void> later = Sinks.empty();
        var failed = new AtomicBoolean();
        var service = services.add(
                "room-service-1",
                (_, response) -> later.asMono()
                        .then(Mono.defer(() -> {
                            assertThat(response.isCommitted()).isFalse();
                            assertThat(response.setStatusCode(HttpStatus.OK)).isFalse();
                            return write(response, "{}");
                        }))
                        .doOnError(_ -> failed.set(true))
                        .cache());
        service.answer(call(Duration.ofMinutes(1))).subscribe().dispose();
        later.tryEmitEmpty();
        assertThat(failed).isTrue();
        assertThat(client.getResponse().isCommitted()).isFalse();
    }

    @Test
    void stoppingServiceTakesNoRequestAndEndsAfterItsLast() {
        Sinks.Empty<Void> answer = Sinks.empty();
        var service = services.add("room-service-1", (_, _) -> answer.asMono());
        service.answer(call(Duration.ofMinutes(1))).subscribe();
        var idle = new AtomicBoolean();
        services.end("room-service-1", service, () -> idle.set(true));

        assertThat(services.of(new Instance("room-service-1", "127.0.0.1:1", null)))
                .isNull();
        StepVerifier.create(service.answer(call(Duration.ofMinutes(1)))).verifyError(ConnectException.class);
        assertThat(idle).isFalse();
        answer.tryEmitEmpty();
        assertThat(idle).isTrue();
    }

    @Test
    void idleServiceEndsAtOnce() {
        var idle = new AtomicBoolean();
        services.end("x", services.add("x", (_, _) -> Mono.empty()), () -> idle.set(true));
        assertThat(idle).isTrue();
    }
}
