// SPDX-License-Identifier: Apache-2.0
package rookery.directory;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Clock;
import java.time.Duration;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import rookery.embedded.Database;
import rookery.embedded.TestServers;
import rookery.model.caller.Caller;
import rookery.model.caller.Caller.Anonymous;
import rookery.model.caller.Caller.Known;
import rookery.model.caller.Caller.Reason;
import rookery.model.id.DeviceId;
import rookery.model.id.ServerName;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.http.AccessMapping;
import rookery.platform.http.CallerSignature;
import rookery.platform.http.ServiceCredential;
import rookery.platform.http.ServiceName;
import rookery.testing.Signing;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The real service on a port of its own, for two tenants, with a client that signs callers as the gateway does. */
public final class RunningDirectory implements AutoCloseable {
    public static final Tenant ONE = new Tenant(1, "one.example");
    public static final Tenant TWO = new Tenant(2, "two.example");

    private static final Signing SIGNING = new Signing(ServiceName.DIRECTORY);

    private final ConfigurableApplicationContext context;
    private final HttpClient http = HttpClient.newHttpClient();

    public RunningDirectory(Database database, FakeRooms rooms, String... more) {
        context = new SpringApplicationBuilder(DirectoryApplication.class)
                .properties("spring.config.name=directory-service")
                .run(Stream.of(
                                database.springArguments().stream(),
                                settings(rooms),
                                TestServers.kafka().springArgumentsOf("directory-service").stream(),
                                Stream.of(more))
                        .flatMap(some -> some)
                        .toArray(String[]::new));
    }

    private static Stream<String> settings(FakeRooms rooms) {
        return Stream.of(
                "--server.port=0",
                "--management.server.port=0",
                Signing.keysOf(ServiceName.DIRECTORY),
                "--rookery.instances.addresses.room-service[0]=" + rooms.address(),
                "--rookery.tenants[0].id=1",
                "--rookery.tenants[0].server-name=one.example",
                "--rookery.tenants[1].id=2",
                "--rookery.tenants[1].server-name=two.example");
    }

    /** A tenant of the tests. */
    public record Tenant(int id, String server) {
        public Someone user(String name) {
            return new Someone(this, "@" + name + ":" + server, false);
        }

        public Someone admin(String name) {
            return new Someone(this, "@" + name + ":" + server, true);
        }

        public Someone nobody() {
            return new Someone(this, null, false);
        }
    }

    /** A user of a tenant, or a caller without token. */
    public record Someone(Tenant tenant, @Nullable String user, boolean admin) {}

    public record Answer(int status, JsonNode body) {
        public String errcode() {
            return body.path("errcode").asString("");
        }
    }

    public Answer call(Someone someone, String method, String path, @Nullable String body) {
        var identity = someone.user == null
                ? new Anonymous(Reason.MISSING)
                : new Known(new UserId(someone.user), new DeviceId("DEVICE"), someone.admin);
        var caller = new Caller(
                new TenantId(someone.tenant.id),
                new ServerName(someone.tenant.server),
                identity,
                "127.0.0.1",
                "request",
                Clock.systemUTC().instant().plus(Duration.ofMinutes(1)));
        var signed = SIGNING.caller(caller, method, "/_api/client" + path);
        return sent(request(method, "/_api/client" + path, body).header(CallerSignature.HEADER, signed));
    }

    /** A call with the credential of another service. */
    public Answer internal(String method, String path, @Nullable String body) {
        var credential = SIGNING.credential(context.getBean(AccessMapping.class), method, "/internal" + path);
        return sent(request(method, "/internal" + path, body).header(ServiceCredential.HEADER, credential));
    }

    private HttpRequest.Builder request(String method, String path, @Nullable String body) {
        var port = context.getEnvironment().getRequiredProperty("local.server.port");
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .header("Content-Type", "application/json")
                .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    }

    private Answer sent(HttpRequest.Builder request) {
        try {
            var response = http.send(request.build(), BodyHandlers.ofString());
            return new Answer(response.statusCode(), JsonMapper.shared().readTree(response.body()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        context.close();
        http.close();
    }
}
