// SPDX-License-Identifier: Apache-2.0
package rookery.admin;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Clock;
import java.time.Duration;
import java.util.stream.Stream;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.r2dbc.core.DatabaseClient;
import rookery.embedded.Database;
import rookery.embedded.TestServers;
import rookery.model.caller.Caller;
import rookery.model.caller.Caller.Identity;
import rookery.model.id.ServerName;
import rookery.model.id.TenantId;
import rookery.platform.http.AccessMapping;
import rookery.platform.http.CallerSignature;
import rookery.platform.http.ServiceName;
import rookery.testing.Signing;

/** The real service on a port of its own, with a client that signs callers as the gateway does. */
public final class RunningAdmin implements AutoCloseable {
    private static final String SYNAPSE = "/_synapse/";
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final ConfigurableApplicationContext context;
    private final Database database;

    public RunningAdmin(String... more) {
        this(TestServers.database("admin-service"), more);
    }

    private RunningAdmin(Database database, String... more) {
        this.database = database;
        context = new SpringApplicationBuilder(AdminApplication.class)
                .properties("spring.config.name=admin-service")
                .run(Stream.of(
                                database.springArguments().stream(),
                                Stream.of(
                                        "--server.port=0",
                                        "--management.server.port=0",
                                        "--rookery.tenants[0].id=1",
                                        "--rookery.tenants[0].server-name=tenant1.example",
                                        "--rookery.tenants[1].id=2",
                                        "--rookery.tenants[1].server-name=tenant2.example",
                                        Signing.keysOf(ServiceName.ADMIN)),
                                Stream.of(more))
                        .flatMap(arguments -> arguments)
                        .toArray(String[]::new));
    }

    /** Another instance on the same database. */
    public RunningAdmin another(String... more) {
        return new RunningAdmin(database, more);
    }

    public <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    public DatabaseClient database() {
        return context.getBean(DatabaseClient.class);
    }

    /** Every route of the service, as method and template of the path. */
    public Stream<String> routes() {
        return context.getBean(AccessMapping.class).getHandlerMethods().keySet().stream()
                .flatMap(info -> info.getPatternsCondition().getPatterns().stream()
                        .flatMap(pattern -> info.getMethodsCondition().getMethods().stream()
                                .map(method -> method + " " + pattern.getPatternString())));
    }

    /** A call as a user of {@code tenant<n>.example}; a path without a prefix is Rookery's own. */
    public HttpResponse<String> call(int tenant, Identity identity, String method, String path) {
        return call(tenant, identity, method, path, "");
    }

    public HttpResponse<String> call(int tenant, Identity identity, String method, String path, String body) {
        return send(request(tenant, identity, method, path, body), BodyHandlers.ofString());
    }

    /** The body of a GET, of which no more is read than the caller reads and some buffers have; to be closed. */
    public InputStream open(int tenant, Identity identity, String path) {
        return send(request(tenant, identity, "GET", path, ""), BodyHandlers.ofInputStream())
                .body();
    }

    private HttpRequest request(int tenant, Identity identity, String method, String path, String body) {
        var whole = path.startsWith(SYNAPSE) ? path : "/_api/client" + path;
        var caller = new Caller(
                new TenantId(tenant),
                new ServerName("tenant" + tenant + ".example"),
                identity,
                "192.0.2.7",
                "request-1",
                Clock.systemUTC().instant().plus(Duration.ofMinutes(1)));
        var port = context.getEnvironment().getRequiredProperty("local.server.port");
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + whole))
                .header(CallerSignature.HEADER, new Signing(ServiceName.ADMIN).caller(caller, method, whole))
                .method(method, BodyPublishers.ofString(body))
                .build();
    }

    private static <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> body) {
        try {
            return HTTP.send(request, body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        context.close();
    }
}
