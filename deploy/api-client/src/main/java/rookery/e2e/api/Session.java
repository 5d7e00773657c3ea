// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.api;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A user logged in on one device. The methods throw {@link UnexpectedAnswerException} for every status but 200. */
public final class Session {
    /** The password of every account that {@link #register} makes. */
    public static final String PASSWORD = "correct horse battery";

    private static final int UNAUTHORIZED = 401;
    private static final int REGISTRATIONS_MAX = 5;

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

    /** Registers an account in two steps: the first response names the session of the authentication stages. */
    public static Session register(Http http, String name) throws IOException {
        var body = new HashMap<String, Object>(Map.of("username", name, "password", PASSWORD));
        var answer = http.call("POST", "/v3/register", null, body);
        if (answer.status() == UNAUTHORIZED) {
            var session = answer.json().path("session").asString();
            body.put("auth", Map.of("type", "m.login.dummy", "session", session));
            answer = http.call("POST", "/v3/register", null, body);
        }
        return of(http, answer.ok());
    }

    /**
     * Registers an account at a server that may refuse the first requests because of overload. After a refusal the account gets
     * another name, since the refused one may exist.
     *
     * @param afterRefusal called after each refusal
     */
    public static Session registerPatiently(Http http, String name, Runnable afterRefusal) throws IOException {
        for (int attempt = 1; ; attempt++) {
            try {
                return register(http, attempt == 1 ? name : "%s-%d".formatted(name, attempt));
            } catch (UnexpectedAnswerException e) {
                if (!e.isPassing() || attempt == REGISTRATIONS_MAX) {
                    throw e;
                }
                afterRefusal.run();
            }
        }
    }

    /** Logs in on another device of an account that {@link #register} made. */
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

    /** A session with an access token that exists already. */
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

    /** The same session over another connection, such as after a restart on another port. */
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

    /** Returns the room id. */
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

    /** Returns the event id. */
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

    /** Polls until a response satisfies the condition, see {@link Poller}. */
    public JsonNode syncUntil(String since, Predicate<JsonNode> condition) throws IOException {
        return Poller.until(this::sync, since, condition);
    }

    /** Reads a page of events (contract.md 11.1). */
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

    /** The timeline events of a room in a sync response; empty when the response lacks the room. */
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
