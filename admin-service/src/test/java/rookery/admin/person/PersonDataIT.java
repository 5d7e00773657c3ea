// SPDX-License-Identifier: Apache-2.0
package rookery.admin.person;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import rookery.admin.RunningAdmin;
import rookery.embedded.Deadline;
import rookery.model.caller.Caller.Identity;
import rookery.model.caller.Caller.Known;
import rookery.model.id.DeviceId;
import rookery.model.id.UserId;

/** Exports that do not end well, with a stand-in for the other services that has data without end. */
class PersonDataIT {
    private static final Identity ROOT = new Known(new UserId("@root:tenant1.example"), new DeviceId("D"), true);
    private static final Identity ADA = new Known(new UserId("@ada:tenant1.example"), new DeviceId("D"), false);
    private static final String PATH = "/v3/admin/users/@bob:tenant1.example/data";
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration PAUSE = Duration.ofMillis(50);
    private static final Duration TIME_FOR_MORE = Duration.ofSeconds(1);

    private final AtomicInteger pages = new AtomicInteger();
    private final HttpServer services;
    private final RunningAdmin admin;
    private volatile int pagesMax = Integer.MAX_VALUE;

    PersonDataIT() throws IOException {
        services = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        services.createContext("/internal/", this::answer);
        services.start();
        admin = new RunningAdmin(Stream.of("auth", "room", "sync", "directory", "push")
                .map(name -> "--rookery.instances.addresses.%s-service[0]=127.0.0.1:%d"
                        .formatted(name, services.getAddress().getPort()))
                .toArray(String[]::new));
    }

    @AfterEach
    void stop() {
        admin.close();
        services.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        var path = exchange.getRequestURI().getPath();
        exchange.getRequestBody().readAllBytes();
        var text = switch (path) {
            case "/internal/persons/sources" -> "[{\"name\":\"account\",\"title\":\"t\",\"ofRoom\":false}]";
            case "/internal/persons/rows" -> page();
            default -> "{}";
        };
        var bytes = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(pages.get() > pagesMax ? 500 : 200, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    /** Lines that hardly shrink in the ZIP. */
    private String page() {
        int number = pages.incrementAndGet();
        var line = new StringBuilder();
        for (int i = 0; i < 10_000; i++) {
            line.append(Integer.toHexString(("" + number * 7919 + i).hashCode()));
        }
        return "{\"lines\":[\"" + line + "\"],\"after\":\"" + number + "\"}";
    }

    private void awaitIdle() {
        assertThat(Deadline.in(PATIENCE)
                        .until(PAUSE, () -> admin.bean(PersonExports.class).isIdle()))
                .as("no export runs")
                .isTrue();
    }

    @Test
    void onlyAdministratorsGetAPersonsData() {
        assertThat(admin.call(1, ADA, "GET", PATH).statusCode()).isEqualTo(403);
        assertThat(admin.call(1, ROOT, "GET", PATH.replace("tenant1", "tenant2"))
                        .statusCode())
                .isEqualTo(400);
        assertThat(pages).hasValue(0);
    }

    @Test
    void anExportThatFailsIsCutAndNotEnded() {
        pagesMax = 30;

        assertThatThrownBy(() -> admin.call(1, ROOT, "GET", PATH)).isInstanceOf(UncheckedIOException.class);
        awaitIdle();
    }

    @Test
    void anExportWaitsForItsReaderRefusesAnotherAndEndsWithItsClient() throws Exception {
        try (InputStream body = admin.open(1, ROOT, PATH)) {
            assertThat(body.read()).isEqualTo('P');
            var before = new AtomicInteger();
            assertThat(Deadline.in(PATIENCE).until(TIME_FOR_MORE, () -> before.getAndSet(pages.get()) == pages.get()))
                    .as("no page is read while the buffers are full")
                    .isTrue();

            var second = admin.call(1, ROOT, "GET", PATH);
            assertThat(second.statusCode()).isEqualTo(429);
            assertThat(second.body()).contains("M_LIMIT_EXCEEDED", "\"retry_after_ms\":");
            assertThat(second.headers().firstValue("Content-Disposition")).isEmpty();
        }
        awaitIdle();
    }
}
