// SPDX-License-Identifier: Apache-2.0
package rookery.gateway;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.reactive.context.ReactiveWebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import rookery.embedded.Ports;
import rookery.platform.http.LocalServices;
import rookery.platform.http.ServiceName;
import rookery.testing.Signing;

/** A gateway with two tenants (alpha.test and beta.test); the test writes the files of instances. */
final class RunningGateway implements AutoCloseable {
    static {
        // the tests set the Host header
        System.setProperty("jdk.httpclient.allowRestrictedHeaders", "host,connection,expect");
    }

    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    final ConfigurableApplicationContext context;
    final int port;
    final int managementPort = Ports.free();

    RunningGateway(String redisUrl, Path instances, String... more) {
        this(null, redisUrl, instances, more);
    }

    /** @param services the services in this JVM, which the gateway calls without a connection; or null */
    RunningGateway(@Nullable LocalServices services, String redisUrl, Path instances, String... more) {
        var arguments = new ArrayList<>(List.of(
                "--server.port=0",
                "--management.server.port=" + managementPort,
                Signing.keysOf(ServiceName.GATEWAY),
                "--rookery.redis.url=" + redisUrl,
                "--rookery.instances.folder=" + instances,
                "--rookery.tenants[0].id=1",
                "--rookery.tenants[0].server-name=alpha.test",
                "--rookery.tenants[0].hosts[0]=127.0.0.1",
                "--rookery.tenants[1].id=2",
                "--rookery.tenants[1].server-name=beta.test",
                "--rookery.client-address.trusted-proxies[0]=127.0.0.1",
                "--spring.main.register-shutdown-hook=false"));
        arguments.addAll(List.of(more));
        context = new SpringApplicationBuilder(GatewayApplication.class)
                .properties("spring.config.name=gateway")
                .initializers(beans -> {
                    if (services != null) {
                        beans.getBeanFactory().registerSingleton("localServices", services);
                    }
                })
                .run(arguments.toArray(String[]::new));
        var server = ((ReactiveWebServerApplicationContext) context).getWebServer();
        port = Objects.requireNonNull(server).getPort();
    }

    static void register(Path instances, String instance, String address) {
        try {
            Files.writeString(instances.resolve(instance), "address=" + address + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    HttpResponse<String> get(String path, String... headers) {
        return send(request(path, headers).GET());
    }

    CompletableFuture<HttpResponse<String>> getAsync(String path, String... headers) {
        return HTTP.sendAsync(request(path, headers).GET().build(), BodyHandlers.ofString());
    }

    CompletableFuture<HttpResponse<String>> sendAsync(HttpRequest.Builder request) {
        return HTTP.sendAsync(request.build(), BodyHandlers.ofString());
    }

    HttpResponse<String> post(String path, String body, String... headers) {
        return send(request(path, headers).POST(BodyPublishers.ofString(body)));
    }

    HttpRequest.Builder request(String path, String... headers) {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
        return headers.length == 0 ? request : request.headers(headers);
    }

    HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return HTTP.send(request.build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Sends the bytes unchanged and reads to the end of the connection. */
    String raw(String bytes) {
        return raw("", 0, bytes);
    }

    /** Sends the bytes unchanged, reads this many answers, sends the other bytes and reads to the end of the connection. */
    String raw(String bytes, int answers, String others) {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(10_000);
            var in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
            for (int seen = 0; seen < answers; ) {
                seen += in.readLine().contains("HTTP/1.1 ") ? 1 : 0;
            }
            socket.getOutputStream().write(others.getBytes(StandardCharsets.ISO_8859_1));
            return in.readAllAsString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        context.close();
    }
}
