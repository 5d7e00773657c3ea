package rookery.standalone;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A conversation of two users in the training run for the start caches, so that the caches contain the code for first requests.
 * Responses are read only for the values of the next request.
 */
final class Rehearsal {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final String PASSWORD = "a password for the rehearsal";

    private final HttpClient http = HttpClient.newHttpClient();
    private final String client;

    Rehearsal(int port) {
        this.client = "http://localhost:" + port + "/_api/client";
    }

    /** A logged-in user with the user's sync token. */
    private static final class Talker {
        final String user;
        final String token;

        @Nullable
        String since;

        Talker(JsonNode session) {
            this.user = session.path("user_id").asString("");
            this.token = session.path("access_token").asString("");
        }
    }

    /** Plays the conversation for about the given time. */
    void play(Duration length) throws IOException, InterruptedException {
        long end = System.nanoTime() + length.toNanos();
        var ada = register("ada");
        var grace = register("grace");
        var made = Map.of("name", "Rehearsal", "preset", "private_chat", "invite", new String[] {grace.user});
        var room = "/v3/rooms/"
                + encoded(
                        ask(ada, "POST", "/v3/createRoom", made).path("room_id").asString(""));
        ask(grace, "POST", room + "/join", Map.of());
        ask(grace, "PUT", "/v3/profile/" + encoded(grace.user) + "/displayname", Map.of("displayname", "Grace"));
        for (int round = 0; System.nanoTime() - end < 0; round++) {
            say(ada, grace, room, round);
            say(grace, ada, room, round);
        }
        ask(grace, "GET", room + "/members", null);
        ask(grace, "GET", room + "/messages?dir=b", null);
        ask(
                grace,
                "POST",
                "/v3/search",
                Map.of("search_categories", Map.of("room_events", Map.of("search_term", "tea"))));
        ask(grace, "POST", "/v3/user_directory/search", Map.of("search_term", "ada"));
        ask(grace, "GET", "/v3/publicRooms", null);
        ask(grace, "GET", "/v3/pushrules/", null);
        ask(grace, "GET", "/v3/devices", null);
        ask(grace, "POST", "/v3/logout", Map.of());
    }

    private Talker register(String name) throws IOException, InterruptedException {
        var session = ask(null, "POST", "/v3/register", Map.of("username", name, "password", PASSWORD))
                .path("session")
                .asString("");
        var auth = Map.of("type", "m.login.dummy", "session", session);
        ask(null, "POST", "/v3/register", Map.of("username", name, "password", PASSWORD, "auth", auth));
        var user = Map.of("type", "m.id.user", "user", name);
        return new Talker(ask(
                null,
                "POST",
                "/v3/login",
                Map.of("type", "m.login.password", "identifier", user, "password", PASSWORD)));
    }

    private void say(Talker speaker, Talker listener, String room, int round) throws IOException, InterruptedException {
        ask(speaker, "PUT", room + "/typing/" + encoded(speaker.user), Map.of("typing", true, "timeout", 1_000));
        var event = ask(
                        speaker,
                        "PUT",
                        room + "/send/m.room.message/" + round,
                        Map.of("msgtype", "m.text", "body", "More tea? " + round))
                .path("event_id")
                .asString("");
        var since = listener.since;
        var synced = ask(listener, "GET", "/v3/sync?timeout=100" + (since == null ? "" : "&since=" + since), null);
        listener.since = synced.path("next_batch").asString(since);
        ask(listener, "POST", room + "/receipt/m.read/" + encoded(event), Map.of());
    }

    private JsonNode ask(@Nullable Talker who, String method, String path, @Nullable Object body)
            throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create(client + path))
                .header("Content-Type", "application/json")
                .method(
                        method,
                        body == null
                                ? BodyPublishers.noBody()
                                : BodyPublishers.ofString(JSON.writeValueAsString(body)));
        if (who != null) {
            request.header("Authorization", "Bearer " + who.token);
        }
        return JSON.readTree(http.send(request.build(), BodyHandlers.ofString()).body());
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
