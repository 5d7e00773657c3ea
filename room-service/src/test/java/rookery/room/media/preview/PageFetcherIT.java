// SPDX-License-Identifier: Apache-2.0
package rookery.room.media.preview;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.client.ReactorResourceFactory;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import rookery.testing.ScriptedNames;

/** Addresses that are never fetched, by name or after a redirect. */
class PageFetcherIT {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final ReactorResourceFactory RESOURCES = new ReactorResourceFactory();
    private static final AtomicInteger CONNECTIONS = new AtomicInteger();

    private static DisposableServer server;

    @BeforeAll
    static void start() {
        RESOURCES.setUseGlobalResources(false);
        RESOURCES.afterPropertiesSet();
        server = HttpServer.create()
                .host("127.0.0.1")
                .port(0)
                .doOnConnection(_ -> CONNECTIONS.incrementAndGet())
                .handle((request, response) ->
                        response.sendString(Mono.just(request.requestHeaders().get("Host")
                                + request.uri()
                                + request.requestHeaders().contains("Referer"))))
                .bindNow();
    }

    @AfterAll
    static void stop() {
        server.disposeNow();
        RESOURCES.destroy();
    }

    private static @Nullable String page(boolean allowPrivate, String host, Map<String, List<String>> addresses) {
        String prefix = "rookery.room.media.preview.";
        var properties = PreviewPropertiesTest.bound(
                Map.of(prefix + "allow-private", "" + allowPrivate, prefix + "ports[0]", "" + server.port()));
        try (var names = new ScriptedNames(addresses)) {
            var fetcher = new PageFetcher(properties, RESOURCES, names);
            try {
                var url = PageUrl.of("http://" + host + ":" + server.port() + "/a?b=ä");
                return fetcher.ask(url, (_, _, body) -> PageFetcher.beginning(body.asByteArray(), 1_000))
                        .map(bytes -> new String(bytes, StandardCharsets.UTF_8))
                        .block(PATIENCE);
            } finally {
                fetcher.destroy();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "10.0.0.1", "169.254.169.254", "::1", "::ffff:127.0.0.1", "fd00::1"})
    void nameThatLeadsToAPrivateAddressIsNotConnectedTo(String address) {
        int before = CONNECTIONS.get();
        assertThatThrownBy(() -> page(false, "page.example", Map.of("page.example", List.of(address))))
                .hasStackTraceContaining("PrivateAddressException");
        assertThat(CONNECTIONS).hasValue(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "[::1]", "0177.0.0.1", "localhost", "a.localhost."})
    void hostThatIsPrivateByItsTextIsNotConnectedTo(String host) {
        int before = CONNECTIONS.get();
        assertThatThrownBy(() -> page(false, host, Map.of(host, List.of("127.0.0.1"))))
                .isInstanceOf(UnreachableException.class);
        assertThat(CONNECTIONS).hasValue(before);
    }

    @Test
    void privateAddressesAreReachedWhereTheyAreAllowed() {
        assertThat(page(true, "Page.example", Map.of("page.example", List.of("127.0.0.1"))))
                .isEqualTo("page.example:" + server.port() + "/a?b=%C3%A4false");
    }
}
