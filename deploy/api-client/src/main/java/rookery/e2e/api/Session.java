package rookery.e2e.api;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A user logged in on one device. Its methods throw {@link UnexpectedAnswerException} for what is no success. */
public final class Session {
    private static final String PASSWORD = "correct horse battery";
    private static final int UNAUTHORIZED = 401;

    private final Http http;
    private final String userId;
    private final String deviceId;
    private final String token;
    private final AtomicLong transactions;

    private Session(Http http, String userId, String deviceId, String token, AtomicLong transactions) {
        this.http = http;
        this.userId = userId;
        this.deviceId = deviceId;
        this.token = token;
        this.transactions = transactions;
    }

    private static Session of(Http http, JsonNode answer) {
        return new Session(
                http,
                answer.path("user_id").asString(),
                answer.path("device_id").asString(),
                answer.path("access_token").asString(),
                new AtomicLong());
    }

    /** Makes an account, in the two steps that a client with no knowledge of the server takes. */
    public static Session register(Http http, String name) throws IOException {
        var wish = new HashMap<String, Object>(Map.of("username", name, "password", PASSWORD));
        var answer = http.call("POST", "/v3/register", null, wish);
        if (answer.status() == UNAUTHORIZED) {
            var session = answer.json().path("session").asString();
            wish.put("auth", Map.of("type", "m.login.dummy", "session", session));
            answer = http.call("POST", "/v3/register", null, wish);
        }
        return of(http, answer.ok());
    }

    /** A further device of an account that {@link #register} made. */
    public static Session login(Http http, String name) throws IOException {
        var body = Map.of(
                "type",
                "m.login.password",
                "identifier",
                Map.of("type", "m.id.user", "user", name),
                "password",
                PASSWORD);
        return of(http, http.call("POST", "/v3/login", null, body).ok());
    }

    /** Somebody who is logged in already, and whose token is known. */
    public static Session known(Http http, String userId, String deviceId, String token) {
        return new Session(http, userId, deviceId, token, new AtomicLong());
    }

    public Http http() {
        return http;
    }

    public String userId() {
        return userId;
    }

    public String deviceId() {
        return deviceId;
    }

    public String token() {
        return token;
    }

    /** The same session seen through another connection, such as after a restart on another port. */
    public Session through(Http other) {
        return new Session(other, userId, deviceId, token, transactions);
    }

    public Answer call(String method, String path, @Nullable Map<String, ?> body) throws IOException {
        return http.call(method, path, token, body);
    }

    public JsonNode get(String path) throws IOException {
        return call("GET", path, null).ok();
    }

    public JsonNode post(String path, Map<String, ?> body) throws IOException {
        return call("POST", path, body).ok();
    }

    public JsonNode put(String path, Map<String, ?> body) throws IOException {
        return call("PUT", path, body).ok();
    }

    /** Returns the room's id. */
    public String createRoom(Map<String, ?> body) throws IOException {
        return post("/v3/createRoom", body).path("room_id").asString();
    }

    public void invite(String room, String userId) throws IOException {
        post(Paths.room(room, "/invite"), Map.of("user_id", userId));
    }

    public void join(String roomIdOrAlias) throws IOException {
        post("/v3/join/" + Paths.encoded(roomIdOrAlias), Map.of());
    }

    public void leave(String room) throws IOException {
        post(Paths.room(room, "/leave"), Map.of());
    }

    /** Returns the event's id. */
    public String say(String room, String text) throws IOException {
        var txnId = "say-" + transactions.incrementAndGet();
        return send(room, txnId, Map.of("msgtype", "m.text", "body", text))
                .ok()
                .path("event_id")
                .asString();
    }

    public Answer send(String room, String txnId, Map<String, ?> content) throws IOException {
        return call("PUT", Paths.room(room, "/send/m.room.message/" + Paths.encoded(txnId)), content);
    }

    public JsonNode sync(SyncQuery query) throws IOException {
        return trySync(query).ok();
    }

    public Answer trySync(SyncQuery query) throws IOException {
        return call("GET", query.path(), null);
    }

    /** The first answer after a token that holds it, with as many polls as that takes ({@link Poller}). */
    public JsonNode syncUntil(String since, Predicate<JsonNode> holds) throws IOException {
        return Poller.until(this::sync, since, holds);
    }

    /** One page, as contract.md 11.1 describes it. */
    public JsonNode messages(String room, String dir, @Nullable String from, @Nullable String to, int limit)
            throws IOException {
        var path = new StringBuilder("/messages?dir=" + dir + "&limit=" + limit);
        if (from != null) {
            path.append("&from=").append(Paths.encoded(from));
        }
        if (to != null) {
            path.append("&to=").append(Paths.encoded(to));
        }
        return get(Paths.room(room, path.toString()));
    }

    public void logout() throws IOException {
        post("/v3/logout", Map.of());
    }

    /** The events of a room's timeline in an answer of sync; none when the room is not in it. */
    public static List<JsonNode> timeline(JsonNode sync, String room) {
        return sync.path("rooms")
                .path("join")
                .path(room)
                .path("timeline")
                .path("events")
                .valueStream()
                .toList();
    }

    @Override
    public String toString() {
        return userId;
    }
}
