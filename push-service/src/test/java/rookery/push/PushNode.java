// SPDX-License-Identifier: Apache-2.0
package rookery.push;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import rookery.embedded.Database;
import rookery.model.caller.Caller;
import rookery.model.caller.Caller.Known;
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

/** An instance of the real service under the test's clock, with a client that signs callers as the gateway does. */
public final class PushNode implements AutoCloseable {
    private final Signing signing;
    private final ConfigurableApplicationContext context;
    private final HttpClient http = HttpClient.newHttpClient();

    /** Pushes may go to this machine; {@code more} are settings that override the defaults. */
    public PushNode(Database database, Clock clock, String... more) {
        this(database, clock, _ -> {}, more);
    }

    /** Also registers the test's beans, as primary beans. */
    public PushNode(Database database, Clock clock, Consumer<GenericApplicationContext> beans, String... more) {
        var settings = new ArrayList<>(List.of(
                "--rookery.push.allow-http=true",
                "--rookery.push.allow-private=true",
                "--rookery.push.delivery.poll-interval=100ms"));
        settings.addAll(List.of(more));
        signing = new Signing(ServiceName.PUSH, clock);
        context = new SpringApplicationBuilder(PushApplication.class)
                .properties("spring.config.name=push-service")
                .initializers(made -> {
                    primary((GenericApplicationContext) made, Clock.class, clock);
                    beans.accept((GenericApplicationContext) made);
                })
                .run(RunningPush.settings(database, settings));
    }

    /** Registers a bean that takes precedence over others of its type. */
    public static <T> void primary(GenericApplicationContext context, Class<T> type, T bean) {
        context.registerBean(
                "primary" + type.getSimpleName(), type, () -> bean, definition -> definition.setPrimary(true));
    }

    /** A device of a user of one of the two tenants. */
    public record UserDevice(int tenant, String name, String device) {
        public static UserDevice of(String name) {
            return new UserDevice(1, name, "DEVICE");
        }

        public UserId user() {
            return new UserId("@%s:%s.example".formatted(name, tenant == 1 ? "one" : "two"));
        }

        public TenantId tenantId() {
            return new TenantId(tenant);
        }
    }

    public record Answer(int status, JsonNode body) {
        public String errcode() {
            return body.path("errcode").asString("");
        }
    }

    public Answer call(UserDevice device, String method, String path, @Nullable String body) {
        var caller = new Caller(
                device.tenantId(),
                new ServerName(device.tenant == 1 ? "one.example" : "two.example"),
                new Known(device.user(), new DeviceId(device.device), false),
                "127.0.0.1",
                "request",
                bean(Clock.class).instant().plus(Duration.ofMinutes(1)));
        return sent(request(method, "/_api/client" + path, body)
                .header(CallerSignature.HEADER, signing.caller(caller, method, "/_api/client" + path)));
    }

    /** A call with the credential of another service. */
    public Answer internal(String path) {
        return asService("GET", "/internal" + path, null);
    }

    public Answer internal(String path, String body) {
        return asService("POST", "/internal" + path, body);
    }

    private Answer asService(String method, String path, @Nullable String body) {
        return sent(request(method, path, body)
                .header(ServiceCredential.HEADER, signing.credential(bean(AccessMapping.class), method, path)));
    }

    public <T> T bean(Class<T> type) {
        return context.getBean(type);
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
