// SPDX-License-Identifier: Apache-2.0
package rookery.push.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.client.ReactorResourceFactory;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import rookery.push.gateway.GatewayAnswer.Refused;
import rookery.push.gateway.GatewayAnswer.Taken;
import rookery.push.gateway.GatewayAnswer.Unreachable;
import rookery.testing.ScriptedNames;

/** Pushes do not reach forbidden addresses, whatever name the URL has (contract.md 12.7). */
class PushGatewayIT {
    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    private static final byte[] PUSH = "{}".getBytes(StandardCharsets.UTF_8);
    private static final ReactorResourceFactory RESOURCES = new ReactorResourceFactory();
    private static final AtomicInteger REQUESTS = new AtomicInteger();

    private static DisposableServer server;

    @BeforeAll
    static void start() {
        RESOURCES.setUseGlobalResources(false);
        RESOURCES.afterPropertiesSet();
        server = HttpServer.create()
                .host("127.0.0.1")
                .port(0)
                .doOnConnection(_ -> REQUESTS.incrementAndGet())
                .route(routes -> routes.post(
                                "/ok", (_, response) -> response.sendString(Mono.just("{\"rejected\":[]}")))
                        .post(
                                "/moved",
                                (_, response) -> response.status(302)
                                        .header("Location", "/ok")
                                        .send())
                        .post("/hangs", (_, _) -> Mono.never())
                        .post("/hangs-later", (_, response) -> response.sendString(Mono.<String>never())))
                .bindNow();
    }

    @AfterAll
    static void stop() {
        server.disposeNow();
        RESOURCES.destroy();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1",
                "0.0.0.0",
                "10.0.0.1",
                "169.254.169.254",
                "192.168.0.1",
                "::1",
                "::ffff:127.0.0.1",
                "::ffff:10.0.0.1",
                "64:ff9b::7f00:1",
                "2002:7f00:1::",
                "fe80::1",
                "fd00::1",
            })
    void nameThatLeadsToAPrivateAddressIsNotConnectedTo(String address) throws Exception {
        int before = REQUESTS.get();
        try (var names = new ScriptedNames(Map.of("push.example", List.of(address)))) {
            assertThat(answer(gateway(false, names), "http://push.example", "/ok"))
                    .isEqualTo(new Unreachable("PrivateAddressException"));
        }
        assertThat(REQUESTS.get()).isEqualTo(before);
    }

    /** DNS may change between two look-ups, so the address of the actual connection is checked. */
    @Test
    void noneOfTheAddressesOfANameIsConnectedTo() throws Exception {
        int before = REQUESTS.get();
        try (var names = new ScriptedNames(Map.of("push.example", List.of("10.0.0.1", "127.0.0.1", "::1")))) {
            assertThat(answer(gateway(false, names), "http://push.example", "/ok"))
                    .isInstanceOf(Unreachable.class);
        }
        assertThat(REQUESTS.get()).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://127.0.0.1", "http://[::ffff:127.0.0.1]", "http://[::1]"})
    void addressThatWasNeverJudgedIsNotConnectedTo(String literal) throws Exception {
        int before = REQUESTS.get();
        try (var names = new ScriptedNames(Map.of())) {
            assertThat(answer(gateway(false, names), literal, "/ok"))
                    .isEqualTo(new Unreachable("PrivateAddressException"));
        }
        assertThat(REQUESTS.get()).isEqualTo(before);
    }

    @Test
    void privateAddressesAreReachedWhereTheyAreAllowed() throws Exception {
        try (var names = new ScriptedNames(Map.of("push.example", List.of("127.0.0.1")))) {
            var gateway = gateway(true, names);
            assertThat(answer(gateway, "http://push.example", "/ok")).isInstanceOf(Taken.class);
            assertThat(answer(gateway, "http://nobody.example", "/ok"))
                    .isEqualTo(new Unreachable("UnknownHostException"));
            assertThat(answer(gateway, "http://push.example", "/moved")).isEqualTo(new Refused(302));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/hangs", "/hangs-later"})
    void gatewayThatHangsIsGivenUp(String path) throws Exception {
        try (var names = new ScriptedNames(Map.of())) {
            assertThat(answer(gateway(true, names), "http://127.0.0.1", path))
                    .isEqualTo(new Unreachable("TimeoutException"));
        }
    }

    @Test
    void certificateThatNobodyVouchesForIsNotTrusted(@TempDir Path folder) throws Exception {
        var tls = selfSigned(folder);
        var secure = HttpServer.create()
                .host("127.0.0.1")
                .port(0)
                .secure(spec -> spec.sslContext(tls))
                .handle((_, response) -> response.sendString(Mono.just("{}")))
                .bindNow();
        try (var names = new ScriptedNames(Map.of())) {
            var url = new GatewayUrl(URI.create("https://127.0.0.1:" + secure.port() + "/"));
            assertThat(gateway(true, names).post(url, PUSH).block()).isInstanceOf(Unreachable.class);
        } finally {
            secure.disposeNow();
        }
    }

    private static SslContext selfSigned(Path folder)
            throws IOException, InterruptedException, GeneralSecurityException {
        var file = folder.resolve("keys");
        var keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "push",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=127.0.0.1",
                        "-ext",
                        "san=ip:127.0.0.1",
                        "-storepass",
                        "secret",
                        "-keystore",
                        file.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
        assertThat(keytool.waitFor()).isZero();
        var keys = KeyStore.getInstance("PKCS12");
        try (var in = Files.newInputStream(file)) {
            keys.load(in, "secret".toCharArray());
        }
        var factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(keys, "secret".toCharArray());
        return SslContextBuilder.forServer(factory).build();
    }

    private static PushGateway gateway(boolean allowPrivate, ScriptedNames names) {
        return new PushGateway(new GatewayProperties(true, allowPrivate, TIMEOUT), RESOURCES, names);
    }

    private static GatewayAnswer answer(PushGateway gateway, String host, String path) {
        var url = new GatewayUrl(URI.create(host + ":" + server.port() + path));
        var answer = Objects.requireNonNull(gateway.post(url, PUSH).block());
        gateway.destroy();
        return answer;
    }
}
