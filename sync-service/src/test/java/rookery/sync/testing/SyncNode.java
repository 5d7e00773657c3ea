// SPDX-License-Identifier: Apache-2.0
package rookery.sync.testing;

import io.micrometer.core.instrument.MeterRegistry;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import rookery.model.caller.Caller;
import rookery.model.id.DeviceId;
import rookery.model.id.ServerName;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.http.AccessMapping;
import rookery.platform.http.CallerSignature;
import rookery.platform.http.ServiceCredential;
import rookery.platform.http.ServiceName;
import rookery.sync.SyncApplication;
import rookery.sync.inbox.FollowedLog;
import rookery.testing.Signing;

/** A running node, and HTTP clients of the node. */
public final class SyncNode implements AutoCloseable {
    private static final String OWN_PREFIX = "/_api/client/";
    private static final String STANDARD_PREFIX = "/_matrix/client/";
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final ConfigurableApplicationContext context;
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final String base;

    SyncNode(List<String> settings) {
        var args = new java.util.ArrayList<>(settings);
        args.add("--server.port=0");
        context = new SpringApplicationBuilder(SyncApplication.class)
                .properties("spring.config.name=sync-service")
                .registerShutdownHook(false)
                .run(args.toArray(String[]::new));
        base = "http://127.0.0.1:" + context.getEnvironment().getRequiredProperty("local.server.port");
    }

    void awaitReady() {
        until(() -> ready() == 200);
    }

    public int ready() {
        return send(HttpRequest.newBuilder(URI.create(base + "/internal/ready"))
                        .header(
                                ServiceCredential.HEADER,
                                signing().credential(ServiceName.OPERATOR, "GET", "/internal/ready")))
                .join()
                .status();
    }

    public <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    public FollowedLog roomLog() {
        return context.getBean("roomLog", FollowedLog.class);
    }

    public double meter(String name) {
        return bean(MeterRegistry.class).get(name).gauge().value();
    }

    /** The number of calls to room-service for rooms that memory could not answer. */
    public double coldCalls() {
        return bean(MeterRegistry.class).find("sync_cold_calls").counters().stream()
                .mapToDouble(counter -> counter.count())
                .sum();
    }

    public Answer get(UserId user, String path) {
        return getAsync(user, new DeviceId("D"), path).join();
    }

    public CompletableFuture<Answer> getAsync(UserId user, DeviceId device, String path) {
        return send(request(user, device, "GET", path).GET());
    }

    public Answer post(UserId user, String path, String body) {
        return send(request(user, new DeviceId("D"), "POST", path).POST(HttpRequest.BodyPublishers.ofString(body)))
                .join();
    }

    public Answer put(UserId user, String path, String body) {
        return send(request(user, new DeviceId("D"), "PUT", path).PUT(HttpRequest.BodyPublishers.ofString(body)))
                .join();
    }

    private Signing signing() {
        return new Signing(ServiceName.SYNC, bean(Clock.class));
    }

    /** A request of another service. */
    public Answer internal(String path, String body) {
        return send(HttpRequest.newBuilder(URI.create(base + path))
                        .header(ServiceCredential.HEADER, signing().credential(bean(AccessMapping.class), "POST", path))
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(body)))
                .join();
    }

    /**
     * A request as sent by the gateway, which maps specification paths to our own prefix and names the prefix in the caller's
     * header.
     */
    private HttpRequest.Builder request(UserId user, DeviceId device, String method, String asked) {
        boolean isOfStandard = asked.startsWith(STANDARD_PREFIX);
        var path = isOfStandard ? OWN_PREFIX + asked.substring(STANDARD_PREFIX.length()) : asked;
        var server = new ServerName(user.value().substring(user.value().indexOf(':') + 1));
        int tenant = server.value().equals("other") ? 2 : 1;
        var caller = new Caller(
                new TenantId(tenant),
                server,
                new Caller.Known(user, device, false),
                isOfStandard ? Caller.Prefix.STANDARD : Caller.Prefix.OWN,
                "127.0.0.1",
                "request",
                bean(Clock.class).instant().plusSeconds(60));
        return HttpRequest.newBuilder(URI.create(base + path))
                .header(CallerSignature.HEADER, signing().caller(caller, method, path));
    }

    /** The caller's header, for hand-written requests. */
    public String callerHeader(UserId user, String path) {
        var request = request(user, new DeviceId("D"), "GET", path).build();
        return CallerSignature.HEADER + ": "
                + request.headers().firstValue(CallerSignature.HEADER).orElseThrow();
    }

    public int port() {
        return URI.create(base).getPort();
    }

    private CompletableFuture<Answer> send(HttpRequest.Builder request) {
        return http.sendAsync(request.timeout(Duration.ofSeconds(60)).build(), BodyHandlers.ofString())
                .thenApply(response -> new Answer(response.statusCode(), response.body()));
    }

    /** Waits for a condition; fails after a long timeout. */
    public static void until(BooleanSupplier condition) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("it did not come to pass");
            }
            LockSupport.parkNanos(2_000_000);
        }
    }

    @Override
    public void close() {
        context.close();
    }
}
