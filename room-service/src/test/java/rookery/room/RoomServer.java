// SPDX-License-Identifier: Apache-2.0
package rookery.room;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.r2dbc.core.DatabaseClient;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import rookery.embedded.Database;
import rookery.embedded.Deadline;
import rookery.embedded.TestServers;
import rookery.embedded.timing.Phase;
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
import tools.jackson.databind.node.ObjectNode;

/**
 * A real room-service on a port, with two tenants, and a stand-in that answers for auth-service and directory-service.
 *
 * <p>It is an extension of JUnit, in a static field that is registered. A start costs seconds of CPU, so whoever looks only at
 * rooms of their own takes the {@link #shared} one; whoever restarts it, or counts what all rooms of a user or all users do,
 * has a server of their {@link #own}.
 */
final class RoomServer implements BeforeAllCallback, AfterAllCallback, AutoCloseable {
    static final String ORG = "example.org";
    static final String NET = "example.net";

    private static final Signing SIGNING = new Signing(ServiceName.ROOM);
    private static final JsonMapper JSON = JsonMapper.shared();
    /** Messages that wait for a commit concurrently and share one. */
    private static final int AT_ONCE = 20;

    private final HttpClient http = HttpClient.newHttpClient();
    private final HttpServer others;
    private final ScriptedAliases aliases = new ScriptedAliases();
    private final Database database;
    private final String other;
    private final boolean isFirst;
    private final String[] settings;
    private final boolean isShared;
    private ConfigurableApplicationContext context;
    private int port;

    /** Where it keeps uploaded files. */
    final Path media;

    /** What auth-service knows. */
    final ScriptedUsers users;

    private static final class SharedInstance {
        static final RoomServer SERVER = new RoomServer(true);
    }

    /** The server shared by test classes, which run concurrently; ends with the test JVM. */
    static RoomServer shared() {
        return SharedInstance.SERVER;
    }

    /** A server for one class only; ends with the class. */
    static RoomServer own(String... settings) {
        return new RoomServer(false, settings);
    }

    private RoomServer(boolean isShared, String... settings) {
        this.settings = settings;
        this.media = TestServers.folder("media");
        this.isShared = isShared;
        this.database = TestServers.database("room-service");
        this.users = new ScriptedUsers();
        this.isFirst = true;
        try {
            others = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        others.createContext("/internal/aliases", aliases::answer);
        others.createContext("/internal/", this::users);
        others.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        others.start();
        other = "127.0.0.1:" + others.getAddress().getPort();
        context = Phase.STARTING.during(this::run);
        port = port();
    }

    private RoomServer(RoomServer beside) {
        settings = beside.settings;
        media = beside.media;
        database = beside.database;
        users = beside.users;
        isFirst = false;
        isShared = false;
        others = beside.others;
        other = beside.other;
        context = Phase.STARTING.during(this::run);
        port = port();
    }

    /** Another instance on the same database, closed before the first. */
    RoomServer another() {
        return new RoomServer(this);
    }

    /** Restarts the service in the middle of its work. */
    void restart() {
        context.close();
        context = Phase.STARTING.during(this::run);
        port = port();
    }

    private int port() {
        return Integer.parseInt(context.getEnvironment().getRequiredProperty("local.server.port"));
    }

    private Stream<String> mediaFolder() {
        boolean hasBucket = Stream.of(settings).anyMatch(setting -> setting.startsWith("--rookery.room.media.bucket."));
        return hasBucket ? Stream.of() : Stream.of("--rookery.room.media.folder=" + media);
    }

    private ConfigurableApplicationContext run() {
        return new SpringApplicationBuilder(RoomApplication.class)
                .properties("spring.config.name=room-service")
                .run(Stream.of(
                                database.springArguments().stream(),
                                TestServers.kafka().springArgumentsOf("room-service").stream(),
                                Stream.of(
                                        "--server.port=0",
                                        "--server.address=127.0.0.1",
                                        "--management.server.port=-1",
                                        Signing.keysOf(ServiceName.ROOM),
                                        "--rookery.tenants[0].id=1",
                                        "--rookery.tenants[0].server-name=" + ORG,
                                        "--rookery.tenants[1].id=2",
                                        "--rookery.tenants[1].server-name=" + NET,
                                        "--rookery.instances.addresses.auth-service[0]=" + other,
                                        "--rookery.instances.addresses.directory-service[0]=" + other,
                                        "--rookery.room.profile.gather-for=20ms",
                                        // beside a build, the first picture of a process took longer than 10 s
                                        "--rookery.room.media.thumbnail.timeout=1m",
                                        "--rookery.room.spreading.interval=200ms",
                                        "--rookery.room.spreading.lease=2s",
                                        "--rookery.room.carry-over.interval=200ms",
                                        "--rookery.room.carry-over.lease=2s"),
                                mediaFolder(),
                                Stream.of(settings))
                        .flatMap(arguments -> arguments)
                        .toArray(String[]::new));
    }

    /** Waits until the rooms show a user's latest name, so that no member event comes later in the test. */
    void awaitNameInRooms(String user) {
        var open = bean(DatabaseClient.class)
                .sql("""
                SELECT count(*) FROM room.profile p
                 WHERE p.user_id = :user AND NOT EXISTS (SELECT FROM room.profile_spread s WHERE s.user_id = :user)
                """)
                .bind("user", user)
                .mapValue(Long.class)
                .one();
        assertThat(Deadline.in(Duration.ofSeconds(30)).until(() -> Objects.equals(open.block(), 1L)))
                .isTrue();
    }

    /** The superuser of the database. */
    Database superuser() {
        return TestServers.superuserOf(database);
    }

    <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    private void users(HttpExchange exchange) throws IOException {
        String answer = users.answer(exchange);
        send(exchange, answer.equals(ScriptedUsers.CONFLICT) ? 409 : 200, answer);
    }

    static void send(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    /** A client of a user: {@code ada} of {@link #ORG}, or a full id such as {@code @bob:example.net}. */
    Client as(String user) {
        return new Client(user.startsWith("@") ? user : "@" + user + ":" + ORG, "PHONE");
    }

    /** Another service. */
    Answer internal(String method, String path, @Nullable String body) {
        return exchange(method, path, body, ServiceCredential.HEADER, credential(method, path));
    }

    private String credential(String method, String path) {
        return SIGNING.credential(bean(AccessMapping.class), method, path);
    }

    private Answer exchange(String method, String path, @Nullable String body, String header, String value) {
        var text = text(method, path, body, header, value);
        boolean isLines = text.statusCode() == 200 && path.equals("/internal/sync");
        return new Answer(text.statusCode(), isLines ? sections(text.body()) : JSON.readTree(text.body()));
    }

    /** The lines of a sync as one document. */
    private static JsonNode sections(String text) {
        var lines = text.lines().map(JSON::readTree).toList();
        var whole = (ObjectNode) lines.getFirst();
        var rooms = whole.putArray("rooms");
        var receipts = whole.putArray("receipts");
        for (var room : lines.subList(1, lines.size() - 1)) {
            rooms.add(room);
            if (room.has("receipts")) {
                receipts.addObject()
                        .put("room_id", room.path("room_id").stringValue())
                        .set("receipts", room.get("receipts"));
            }
        }
        if (lines.getLast().path("end").intValue() != rooms.size()) {
            throw new AssertionError("the answer has no end: " + text);
        }
        return whole;
    }

    /** The raw answer to another service. */
    String raw(String path, String body) {
        return text("POST", path, body, ServiceCredential.HEADER, credential("POST", path))
                .body();
    }

    private HttpResponse<String> text(String method, String path, @Nullable String body, String header, String value) {
        var publisher = body == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body);
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .method(method, publisher)
                .header(header, value)
                .header("Content-Type", "application/json")
                .build();
        try {
            return http.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void beforeAll(ExtensionContext test) {
        if (isShared) {
            test.getRoot().getStore(Namespace.GLOBAL).computeIfAbsent(RoomServer.class, _ -> this, AutoCloseable.class);
        }
    }

    @Override
    public void afterAll(ExtensionContext test) {
        if (!isShared) {
            close();
        }
    }

    @Override
    public void close() {
        context.close();
        if (isFirst) {
            others.stop(0);
        }
    }

    record Answer(int status, JsonNode json) {
        String errcode() {
            return json.path("errcode").asString("");
        }

        String text(String field) {
            return json.path(field).asString("");
        }
    }

    /** Asks as a user would through the gateway. */
    final class Client {
        final String user;
        private final Known identity;

        Client(String user, String device) {
            this(new Known(new UserId(user), new DeviceId(device), false));
        }

        private Client(Known identity) {
            this.user = identity.user().value();
            this.identity = identity;
        }

        Client on(String otherDevice) {
            return new Client(new Known(identity.user(), new DeviceId(otherDevice), identity.admin()));
        }

        /** The same user as an administrator of the tenant. */
        Client asAdmin() {
            return new Client(new Known(identity.user(), identity.device(), true));
        }

        /** The same user with a suspended account. */
        Client asSuspended() {
            return new Client(new Known(identity.user(), identity.device(), false, true));
        }

        Answer get(String path) {
            return exchange("GET", path, null);
        }

        Answer put(String path, String body) {
            return exchange("PUT", path, body);
        }

        Answer post(String path, String body) {
            return exchange("POST", path, body);
        }

        /** A new room; answers its id. */
        String createRoom(String body) {
            var answer = post("/createRoom", body);
            if (answer.status != 200) {
                throw new AssertionError("createRoom answered " + answer);
            }
            return answer.text("room_id");
        }

        /** Sends so many messages, many at once, for what needs much to have been said, in whatever order. */
        void sendMany(String room, int count) {
            Flux.range(0, count)
                    .flatMap(
                            i -> Mono.fromCallable(() -> send(room, "many" + i, "many" + i))
                                    .subscribeOn(Schedulers.boundedElastic()),
                            AT_ONCE)
                    .doOnNext(answer -> assertThat(answer.status()).isEqualTo(200))
                    .blockLast();
        }

        Answer send(String room, String txn, String text) {
            return put(
                    "/rooms/" + room + "/send/m.room.message/" + txn,
                    "{\"msgtype\":\"m.text\",\"body\":\"" + text + "\"}");
        }

        private Answer exchange(String method, String path, @Nullable String body) {
            String whole = "/_api/client" + (path.matches("/(v1|unstable)/.*") ? "" : "/v3")
                    + path.replace("!", "%21").replace("#", "%23");
            return RoomServer.this.exchange(method, whole, body, CallerSignature.HEADER, header(method, whole));
        }

        /** A request for a path with its prefix, whose method and body are to be set. */
        HttpRequest.Builder request(String method, String path) {
            return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                    .header(CallerSignature.HEADER, header(method, path));
        }

        private String header(String method, String path) {
            var server = new ServerName(user.substring(user.indexOf(':') + 1));
            var tenant = new TenantId(server.value().equals(ORG) ? 1 : 2);
            var expiry = Instant.now().plusSeconds(60);
            var caller = new Caller(tenant, server, identity, "192.0.2.1", "test", expiry);
            return SIGNING.caller(caller, method, path);
        }
    }
}
