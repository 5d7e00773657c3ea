// SPDX-License-Identifier: Apache-2.0
package rookery.admin.canary;

import java.net.URI;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.http.HttpMethod;
import org.springframework.http.client.ReactorResourceFactory;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.client.WebClientResponseException;
import org.springframework.web.util.UriComponentsBuilder;
import reactor.core.publisher.Mono;
import rookery.platform.http.InternalProperties;
import rookery.platform.http.ServiceName;
import tools.jackson.databind.JsonNode;

/**
 * The requests of the canary to the public API. The first login registers the account, provided that the tenant's registration is
 * open; otherwise an administrator creates the account beforehand. The password is derived from the installation's key, so no
 * password is configured.
 */
@Component
@ConditionalOnProperty("rookery.admin.canary.url")
class CanaryClient {
    private static final String BODY = "body";
    private static final int POLL_MILLIS = 10_000;

    private final URI url;
    private final String username;
    private final String password;
    private final WebClient http;

    CanaryClient(CanaryProperties properties, InternalProperties internal, ReactorResourceFactory resources) {
        this.url = Objects.requireNonNull(properties.url());
        this.username = properties.username();
        this.password = HexFormat.of().formatHex(internal.derived(ServiceName.ADMIN, "canary"));
        this.http = WebClient.builder()
                .clientConnector(new ReactorClientHttpConnector(resources, client -> client))
                .build();
    }

    /** The canary's login, its room and its latest sync token. */
    record Session(String token, String room, String since) {
        Session since(String next) {
            return new Session(token, room, next);
        }
    }

    /** The time of the sync answer with the message, and the next sync token. */
    record Arrival(long atNanos, String since) {}

    /** Logs in, registering if necessary, and finds the canary's room, creating the room if necessary. */
    Mono<Session> enter() {
        return call(HttpMethod.POST, "/v3/login", "", credentials("type", "m.login.password", "user", username))
                .onErrorResume(WebClientResponseException.Forbidden.class, _ -> register())
                .map(answer -> answer.path("access_token").asString())
                .flatMap(token -> sync(token, "", 0)
                        .flatMap(answer -> room(token, answer)
                                .map(room -> new Session(
                                        token, room, answer.path("next_batch").asString()))));
    }

    private Mono<JsonNode> register() {
        return call(
                HttpMethod.POST,
                "/v3/register",
                "",
                credentials("username", username, "auth", Map.of("type", "m.login.dummy")));
    }

    private Map<String, Object> credentials(String key, Object value, String other, Object otherValue) {
        return Map.of("password", password, key, value, other, otherValue);
    }

    private Mono<String> room(String token, JsonNode answer) {
        var joined = answer.path("rooms").path("join").propertyNames();
        return joined.isEmpty()
                ? call(HttpMethod.POST, "/v3/createRoom", token, Map.of("name", "Canary", "preset", "private_chat"))
                        .map(made -> made.path("room_id").asString())
                : Mono.just(joined.iterator().next());
    }

    Mono<JsonNode> send(Session session, String id) {
        return call(
                HttpMethod.PUT,
                UriComponentsBuilder.fromPath("/v3/rooms/{room}/send/m.room.message/{id}")
                        .build(session.room, id)
                        .toString(),
                session.token,
                Map.of("msgtype", "m.notice", BODY, id));
    }

    /** Polls until an answer contains the message. */
    Mono<Arrival> arrival(Session session, String id) {
        return sync(session.token, session.since, POLL_MILLIS).flatMap(answer -> {
            long now = System.nanoTime();
            var since = answer.path("next_batch").asString();
            return holds(answer, session.room, id)
                    ? Mono.just(new Arrival(now, since))
                    : arrival(session.since(since), id);
        });
    }

    private static boolean holds(JsonNode answer, String room, String id) {
        return answer.path("rooms")
                .path("join")
                .path(room)
                .path("timeline")
                .path("events")
                .valueStream()
                .anyMatch(event -> event.path("content").path(BODY).asString("").equals(id));
    }

    private Mono<JsonNode> sync(String token, String since, int timeout) {
        var query = UriComponentsBuilder.fromPath("/v3/sync").queryParam("timeout", timeout);
        return call(
                HttpMethod.GET,
                (since.isEmpty() ? query : query.queryParam("since", "{since}"))
                        .build(since)
                        .toString(),
                token,
                Map.of());
    }

    private Mono<JsonNode> call(HttpMethod method, String path, String token, Map<String, Object> body) {
        var request = http.method(method).uri(URI.create(url + "/_api/client" + path));
        if (!token.isEmpty()) {
            request.headers(headers -> headers.setBearerAuth(token));
        }
        if (!method.equals(HttpMethod.GET)) {
            request.bodyValue(body);
        }
        return request.retrieve().bodyToMono(JsonNode.class);
    }
}
