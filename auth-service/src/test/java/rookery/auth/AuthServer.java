// SPDX-License-Identifier: Apache-2.0
package rookery.auth;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import rookery.auth.interactive.Stage;
import rookery.embedded.Database;
import rookery.embedded.Deadline;
import rookery.embedded.TestServers;
import rookery.model.caller.Caller;
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

/** Auth-service on a port, with real servers. Plays the gateway: resolves the tokens and signs the caller of each request. */
public final class AuthServer implements AutoCloseable {
    public static final Tenant ALPHA = new Tenant(1, "alpha.example");
    public static final Tenant BETA = new Tenant(2, "beta.example");

    private static final Caller.Identity NOBODY = new Caller.Anonymous(Caller.Reason.MISSING);
    private static final String IP = "192.0.2.7";
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final Duration PATIENCE = Duration.ofSeconds(50);
    private static final AtomicInteger NAMES = new AtomicInteger();

    private final Signing signing = new Signing(ServiceName.AUTH);
    private final Database database;
    private final ConfigurableApplicationContext context;
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final URI base;

    private AuthServer(Database database, List<String> settings) {
        this(database, settings, List.of());
    }

    private AuthServer(Database database, List<String> settings, List<Stage> stages) {
        this.database = database;
        var all = new LinkedHashMap<String, String>();
        for (var setting : Stream.of(
                        database.springArguments(), defaults(), TestServers.kafkaArgumentsOf("auth-service"), settings)
                .flatMap(List::stream)
                .toList()) {
            all.put(setting.substring(0, setting.indexOf('=')), setting); // given twice, a setting would become a list
        }
        this.context = new SpringApplicationBuilder(AuthApplication.class)
                .properties("spring.config.name=auth-service")
                .initializers(ctx -> stages.forEach(stage -> ((GenericApplicationContext) ctx)
                        .registerBean("test " + stage.type(), Stage.class, () -> stage)))
                .run(all.values().toArray(String[]::new));
        this.base = URI.create("http://127.0.0.1:" + context.getEnvironment().getRequiredProperty("local.server.port"));
    }

    private static List<String> defaults() {
        return List.of(
                "--server.port=0",
                "--rookery.redis.url=" + TestServers.redisUrl(),
                Signing.keysOf(ServiceName.AUTH),
                "--rookery.tenants[0].id=1",
                "--rookery.tenants[0].server-name=" + ALPHA.server,
                "--rookery.tenants[1].id=2",
                "--rookery.tenants[1].server-name=" + BETA.server,
                "--rookery.auth.password.memory=1MB",
                "--rookery.auth.password.iterations=1",
                // a hundred registrations at once, in one class, refuse nobody in another
                "--rookery.auth.password.waiting-max=1000",
                "--rookery.instances.addresses.room-service[0]=" + RoomsStandIn.address(),
                "--rookery.auth.keys.claims-per-day=1000",
                // all tests come from one client address
                "--rookery.auth.password.failures-of-address-max=100000");
    }

    /** The instance for tests without settings of their own. Tests share the instance, so each uses user names of its own. */
    public static AuthServer shared() {
        return SharedInstance.SERVER;
    }

    /** A second instance with the database of {@link #shared()}, for tests without settings of their own. */
    public static AuthServer sharedSecond() {
        return SecondInstance.SERVER;
    }

    /** A third instance with small limits, for tests of refusals above the limits. */
    public static AuthServer sharedStrict() {
        return StrictInstance.SERVER;
    }

    public static AuthServer with(String... settings) {
        return new AuthServer(TestServers.database("auth-service"), List.of(settings));
    }

    /** An instance with additional stages, which precede existing stages of the same type. */
    public static AuthServer with(List<Stage> stages, String... settings) {
        return new AuthServer(TestServers.database("auth-service"), List.of(settings), stages);
    }

    /** A second instance on the same database. */
    public AuthServer another(String... settings) {
        return new AuthServer(database, List.of(settings));
    }

    /** Every route, such as {@code POST /internal/tokens/resolve}. */
    public Stream<String> routes() {
        return context.getBean(AccessMapping.class).getHandlerMethods().keySet().stream()
                .flatMap(info -> info.getPatternsCondition().getPatterns().stream()
                        .flatMap(pattern -> info.getMethodsCondition().getMethods().stream()
                                .map(method -> method + " " + pattern.getPatternString())));
    }

    public Database database() {
        return database;
    }

    public static String name() {
        return "user" + NAMES.incrementAndGet();
    }

    /** Without a token. */
    public Answer call(Tenant tenant, String method, String path, @Nullable String body) {
        return send(tenant, NOBODY, method, path, body);
    }

    /** With a token, as the gateway would pass it on. */
    public Answer call(Tenant tenant, String token, String method, String path, @Nullable String body) {
        return callAs(tenant, resolve(tenant, token), method, path, body);
    }

    /** With an earlier answer of {@link #resolve}, which a gateway may have kept. */
    public Answer callAs(Tenant tenant, JsonNode resolved, String method, String path, @Nullable String body) {
        Caller.Identity who = switch (resolved.path("state").stringValue()) {
            case "known" ->
                new Caller.Known(
                        new UserId(resolved.path("user").stringValue()),
                        new DeviceId(resolved.path("device").stringValue()),
                        resolved.path("admin").booleanValue(),
                        resolved.path("suspended").booleanValue(false));
            case "locked" ->
                new Caller.Locked(
                        new UserId(resolved.path("user").stringValue()),
                        new DeviceId(resolved.path("device").stringValue()));
            case "expired" -> new Caller.Anonymous(Caller.Reason.EXPIRED);
            default -> new Caller.Anonymous(Caller.Reason.UNKNOWN);
        };
        return send(tenant, who, method, path, body);
    }

    /** Without a token, from another address than usual. */
    public Answer callFrom(String ip, Tenant tenant, String method, String path, @Nullable String body) {
        return exchange(
                request(method, path, body).header(CallerSignature.HEADER, signed(tenant, NOBODY, ip, method, path)));
    }

    /** Without a token; for what is not JSON. */
    public HttpResponse<String> page(
            Tenant tenant, String method, String path, @Nullable String contentType, @Nullable String body) {
        var request =
                request(method, path, body).header(CallerSignature.HEADER, signed(tenant, NOBODY, IP, method, path));
        return received(contentType == null ? request : request.header("Content-Type", contentType));
    }

    public JsonNode resolve(Tenant tenant, String token) {
        var question = "{\"tenant\":%d,\"token_hash\":\"%s\"}".formatted(tenant.id, sha256(token));
        return onceNotBusy(() -> internal("POST", "/internal/tokens/resolve", question))
                .json();
    }

    /**
     * Repeats a request while the database of a busy machine is too late (503), or too many tests that start at once hash
     * passwords (429): a test is about a later answer.
     */
    private static Answer onceNotBusy(Supplier<Answer> request) {
        var answer = new AtomicReference<Answer>();
        Deadline.in(PATIENCE).until(() -> {
            answer.set(request.get());
            return answer.get().status() != 503 && !answer.get().text("error").startsWith("too many logins at once");
        });
        return answer.get();
    }

    public Answer internal(String method, String path, @Nullable String body) {
        return exchange(ofService(method, path, body));
    }

    /** The lines of a list for another service. */
    public List<JsonNode> lines(String path, String body) {
        return received(ofService("POST", path, body))
                .body()
                .lines()
                .map(JSON::readTree)
                .toList();
    }

    private HttpRequest.Builder ofService(String method, String path, @Nullable String body) {
        var credential = signing.credential(
                context.getBean(AccessMapping.class), method, base.resolve(path).getRawPath());
        return request(method, path, body)
                .header("Content-Type", "application/json")
                .header(ServiceCredential.HEADER, credential);
    }

    /** Registers at once. */
    public Answer register(Tenant tenant, String username, String password) {
        return onceNotBusy(() -> call(tenant, "POST", "/_api/client/v3/register", """
                {"username":"%s","password":"%s","auth":{"type":"m.login.dummy"}}
                """.formatted(username, password)));
    }

    public String tokenOfNewUser(Tenant tenant, String username) {
        var answer = register(tenant, username, "correct horse");
        if (answer.status() != 200) {
            throw new IllegalStateException(
                    username + " cannot register: " + answer.raw().body());
        }
        return answer.text("access_token");
    }

    /** Answers the 401 of a request with the caller's password. */
    public Answer withPassword(Tenant tenant, Answer session, String method, String path, String body) {
        String token = session.text("access_token");
        String id = call(tenant, token, method, path, body).text("session");
        return call(tenant, token, method, path, authenticated(body, session, "correct horse", id));
    }

    /** The body with the caller's password, in a session. */
    public static String authenticated(String body, Answer session, String password, String id) {
        String auth = """
                "auth":{"type":"m.login.password","identifier":{"type":"m.id.user","user":"%s"},"password":"%s","session":"%s"}
                """.formatted(session.text("user_id"), password, id);
        return body.equals("{}") ? "{" + auth + "}" : body.substring(0, body.length() - 1) + "," + auth + "}";
    }

    public Answer login(Tenant tenant, String username) {
        return onceNotBusy(() -> call(tenant, "POST", "/_api/client/v3/login", """
                {"type":"m.login.password","user":"%s","password":"correct horse"}""".formatted(username)));
    }

    public String state(Tenant tenant, String token) {
        return resolve(tenant, token).path("state").stringValue();
    }

    /** The result of a query for one number. */
    public int count(String sql) {
        try (var connection = database.connect();
                var rows = connection.createStatement().executeQuery(sql)) {
            rows.next();
            return rows.getInt(1);
        } catch (java.sql.SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    public static String sha256(String text) {
        try {
            var digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private Answer send(Tenant tenant, Caller.Identity who, String method, String path, @Nullable String body) {
        return exchange(
                request(method, path, body).header(CallerSignature.HEADER, signed(tenant, who, IP, method, path)));
    }

    private String signed(Tenant tenant, Caller.Identity who, String ip, String method, String path) {
        var caller = new Caller(
                new TenantId(tenant.id),
                new ServerName(tenant.server),
                who,
                ip,
                "request-1",
                Instant.now().plusSeconds(60));
        return signing.caller(caller, method, base.resolve(path).getRawPath());
    }

    private HttpRequest.Builder request(String method, String path, @Nullable String body) {
        var publisher = body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body);
        return HttpRequest.newBuilder(base.resolve(path))
                .timeout(PATIENCE) // a request without an answer fails its test instead of blocking all tests
                .method(method, publisher);
    }

    private Answer exchange(HttpRequest.Builder request) {
        return new Answer(received(request));
    }

    private HttpResponse<String> received(HttpRequest.Builder request) {
        try {
            return http.send(request.build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(request.build().toString(), e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        context.close();
        http.close();
    }

    /** One of the two tenants of every test. */
    public record Tenant(int id, String server) {
        public String user(String localpart) {
            return "@" + localpart + ":" + server;
        }
    }

    /** An answer; equal if the JSON is equal. */
    public record Answer(int status, JsonNode json, HttpResponse<String> raw) {
        Answer(HttpResponse<String> raw) {
            this(raw.statusCode(), JSON.readTree(raw.body()), raw);
        }

        public String text(String field) {
            return json.path(field).asString("");
        }

        /** Such as {@code 403 M_FORBIDDEN}. */
        public String refusal() {
            return status + " " + text("errcode");
        }
    }

    private static final class SharedInstance {
        static final AuthServer SERVER = with();
    }

    private static final class SecondInstance {
        static final AuthServer SERVER = shared().another();
    }

    private static final class StrictInstance {
        static final AuthServer SERVER = shared().another(
                        "--rookery.auth.keys.claims-per-day=3",
                        "--rookery.auth.device.number-max=3",
                        "--rookery.auth.key-backup.bytes-max=1MB",
                        "--rookery.auth.to-device.waiting.device-messages=20",
                        "--rookery.auth.to-device.waiting.device-bytes=512KB",
                        "--rookery.auth.to-device.waiting.sender-messages=8",
                        "--rookery.auth.to-device.waiting.sender-bytes=128KB");
    }
}
