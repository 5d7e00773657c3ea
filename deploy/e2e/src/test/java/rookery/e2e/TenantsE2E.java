// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import rookery.e2e.api.Answer;
import rookery.e2e.api.Http;
import rookery.e2e.api.Session;
import rookery.e2e.api.SyncQuery;
import rookery.e2e.api.TenantAddress;
import rookery.e2e.running.Rookery;

/** Tenants that an operator makes and changes while everything runs (contract.md 20), over two gateways and two nodes. */
@OnCluster
class TenantsE2E {
    private static final int OK = 200;
    private static final int BAD_REQUEST = 400;
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;

    private final Rookery rookery;
    private final String name = "t" + UUID.randomUUID().toString().substring(0, 8) + ".example";

    TenantsE2E(Rookery rookery) {
        this.rookery = rookery;
    }

    @BeforeEach
    void create() throws IOException {
        var created = operator("POST", "/tenants", Map.of("server_name", name));
        assertThat(created.status()).as(created.text()).isEqualTo(OK);
        Eventually.eventually(() -> login(name, 1).isOk());
        Eventually.eventually(() -> login(name, 2).isOk());
    }

    private Answer operator(String method, String path, Map<String, ?> body) throws IOException {
        return operator(method, path, body, Map.of());
    }

    private Answer operator(String method, String path, Map<String, ?> body, Map<String, String> headers)
            throws IOException {
        var answer = new OperatorCalls(rookery).call(method, path, body, headers);
        if (answer.isOk() && answer.json().has("version")) {
            RegistryVersions.awaitEverywhere(
                    rookery, answer.json().path("version").asLong());
        }
        return answer;
    }

    private Answer login(String host, int gateway) throws IOException {
        try (var http = Http.to(rookery.site(host, gateway).withPrefix("/_matrix/client"))) {
            return http.call("GET", "/v3/login", null, null);
        }
    }

    @Test
    void aTenantChatsAsSoonAsItIsMade() throws IOException {
        var token = operator("POST", "/tenants/" + name + "/first-administrator", Map.of())
                .ok()
                .path("registration_token")
                .asString();
        try (var http = Http.to(rookery.site(name, 1));
                var through = Http.to(rookery.site(name, 2));
                var elsewhere = rookery.http()) {
            var first = administrator(http, token);
            assertThat(first.userId()).isEqualTo("@first:" + name);
            assertThat(first.call("GET", "/v3/admin/users", null).status()).isEqualTo(OK);
            var ada = Session.register(through, "ada");
            assertThat(ada.call("GET", "/v3/admin/users", null).status()).isEqualTo(FORBIDDEN);
            var room = first.createRoom(Map.of("preset", "public_chat"));
            ada.join(room);
            first.say(room, "hello");
            assertThat(Session.timeline(ada.sync(SyncQuery.initial()), room).toString())
                    .contains("hello");

            var stranger = People.newcomer(elsewhere, "stranger");
            assertThat(stranger.call("POST", "/v3/join/" + room, Map.of()).status())
                    .isNotEqualTo(OK);
            assertThat(elsewhere
                            .call("GET", "/v3/account/whoami", ada.token(), null)
                            .errcode())
                    .isEqualTo("M_UNKNOWN_TOKEN");
        }
    }

    static Session administrator(Http http, String token) throws IOException {
        var body = new HashMap<String, Object>(Map.of("username", "first", "password", "a long passphrase 1"));
        var begun = http.call("POST", "/v3/register", null, body);
        body.put(
                "auth",
                Map.of(
                        "type",
                        "m.login.registration_token",
                        "token",
                        token,
                        "session",
                        begun.json().path("session").asString()));
        var answer = http.call("POST", "/v3/register", null, body).ok();
        return Session.known(
                http,
                answer.path("user_id").asString(),
                answer.path("device_id").asString(),
                answer.path("access_token").asString());
    }

    @Test
    void aSuspendedTenantIsRefusedUntilItIsResumed() throws IOException {
        try (var http = Http.to(rookery.site(name, 1));
                var through = Http.to(rookery.site(name, 2))) {
            var ada = Session.register(http, "ada");
            var room = ada.createRoom(Map.of());
            var since = ada.sync(SyncQuery.initial()).path("next_batch").asString();
            var parked = CompletableFuture.supplyAsync(() -> parked(ada, since));

            operator("POST", "/tenants/" + name + "/suspend", Map.of()).ok();
            assertThat(parked.join()).isEqualTo("M_USER_SUSPENDED");
            for (var each : List.of(ada, ada.through(through))) {
                Eventually.eventually(() ->
                        each.call("GET", "/v3/account/whoami", null).errcode().equals("M_USER_SUSPENDED"));
            }
            assertThat(operator("GET", "/tenants/" + name, Map.of())
                            .ok()
                            .path("state")
                            .asString())
                    .isEqualTo("suspended");

            operator("POST", "/tenants/" + name + "/resume", Map.of()).ok();
            Eventually.eventually(
                    () -> ada.call("GET", "/v3/account/whoami", null).isOk());
            ada.say(room, "again");
            assertThat(Session.timeline(
                                    ada.syncUntil(
                                            since,
                                            answer -> !Session.timeline(answer, room)
                                                    .isEmpty()),
                                    room)
                            .toString())
                    .contains("again");
        }
    }

    private static String parked(Session session, String since) {
        try {
            return session.trySync(SyncQuery.since(since).waiting(Duration.ofSeconds(30)))
                    .errcode();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void settingsAreInForceAtOnce() throws IOException {
        var url = "https://chat." + name;
        operator(
                        "PATCH",
                        "/tenants/" + name + "/settings",
                        Map.of("registration", "closed", "public_url", url, "room_version", "12"))
                .ok();
        try (var http = Http.to(rookery.site(name, 2));
                var root = Http.to(rookery.site(name, 2).withPrefix(""))) {
            Eventually.eventually(() -> register(http, "early").errcode().equals("M_FORBIDDEN"));
            Eventually.eventually(() -> root.call("GET", "/.well-known/matrix/client", null, null)
                    .json()
                    .path("m.homeserver")
                    .path("base_url")
                    .asString()
                    .equals(url));

            operator("PATCH", "/tenants/" + name + "/settings", Map.of("registration", ""))
                    .ok();
            Eventually.eventually(() -> register(http, "late").status() == UNAUTHORIZED);
            var ada = Session.register(http, "ada");
            assertThat(ada.createRoom(Map.of())).doesNotContain(":");
        }
        for (var bad : List.of(
                Map.of("registration", "ajar"),
                Map.of("public_url", "ftp://x"),
                Map.of("public_url", "no url"),
                Map.of("room_version", "9"),
                Map.of("presence", "yes"))) {
            assertThat(operator("PATCH", "/tenants/" + name + "/settings", bad).status())
                    .as("%s", bad)
                    .isEqualTo(BAD_REQUEST);
        }
        assertThat(operator("GET", "/tenants/" + name, Map.of())
                        .ok()
                        .path("settings")
                        .toString())
                .isEqualTo("{\"room_version\":\"12\",\"public_url\":\"%s\"}".formatted(url));
    }

    @Test
    void aTenantHasAtMostItsNumberOfUsers() throws IOException {
        try (var http = Http.to(rookery.site(name, 1))) {
            Session.register(http, "ada");
            var bob = Session.register(http, "bob");
            operator("PATCH", "/tenants/" + name + "/settings", Map.of("max_users", 2))
                    .ok();
            Eventually.eventually( // until the limit is in force, registrations succeed
                    () -> dummy(http, "u" + UUID.randomUUID()).errcode().equals("M_RESOURCE_LIMIT_EXCEEDED"));
            operator("PATCH", "/tenants/" + name + "/settings", Map.of("max_users", 0))
                    .ok();
            Eventually.eventually(() -> dummy(http, "carol").isOk());
            assertThat(bob.call("GET", "/v3/account/whoami", null).status()).isEqualTo(OK);
        }
    }

    @Test
    void limitsOfRoomsMembersAndFilesAreThoseOfTheTenant() throws Exception {
        var limits = Map.of("max_rooms", 2, "max_room_members", 2, "max_media_bytes", 100);
        operator("PATCH", "/tenants/" + name + "/settings", limits).ok();
        try (var http = Http.to(rookery.site(name, 1));
                var media = new MediaClient(rookery)) {
            var ada = Session.register(http, "ada");
            var room = ada.createRoom(Map.of("preset", "public_chat"));
            ada.createRoom(Map.of());
            Eventually.eventually(
                    () -> ada.call("POST", "/v3/createRoom", Map.of()).errcode().equals("M_RESOURCE_LIMIT_EXCEEDED"));
            Session.register(http, "bob").join(room);
            var carol = Session.register(http, "carol");
            assertThat(carol.call("POST", "/v3/join/" + room, Map.of()).errcode())
                    .isEqualTo("M_RESOURCE_LIMIT_EXCEEDED");
            media.upload(ada, new byte[60], "text/plain");
            assertThat(media.client
                            .send(
                                    media.request(carol, "/_matrix/media/v3/upload")
                                            .POST(BodyPublishers.ofByteArray(new byte[60]))
                                            .build(),
                                    BodyHandlers.ofString())
                            .body())
                    .contains("M_FORBIDDEN");

            operator("PATCH", "/tenants/" + name + "/settings", Map.of("max_rooms", 0, "max_room_members", 0))
                    .ok();
            Eventually.eventually(
                    () -> carol.call("POST", "/v3/join/" + room, Map.of()).isOk());
            assertThat(operator("GET", "/tenants/" + name + "/usage", Map.of())
                            .ok()
                            .at("/accounts/users/total")
                            .asInt())
                    .isEqualTo(3);
        }
    }

    @Test
    void aTenantSendsAtMostItsEventsOfADay() throws IOException {
        try (var http = Http.to(rookery.site(name, 1))) {
            var ada = Session.register(http, "ada");
            var room = ada.createRoom(Map.of("preset", "public_chat"));
            var bob = Session.register(http, "bob");
            bob.join(room);
            operator("PATCH", "/tenants/" + name + "/settings", Map.of("max_events_per_day", 12))
                    .ok();
            Eventually.eventually(() -> send(ada, room).errcode().equals("M_RESOURCE_LIMIT_EXCEEDED"));
            Eventually.eventually( // at the other instance, too
                    () -> ada.call("POST", "/v3/createRoom", Map.of()).errcode().equals("M_RESOURCE_LIMIT_EXCEEDED"));
            bob.call("POST", "/v3/rooms/" + room + "/leave", Map.of()).ok();
            Eventually.eventually(() ->
                    bob.call("POST", "/v3/join/" + room, Map.of()).errcode().equals("M_RESOURCE_LIMIT_EXCEEDED"));

            operator("PATCH", "/tenants/" + name + "/settings", Map.of("max_events_per_day", 0))
                    .ok();
            Eventually.eventually(() -> send(ada, room).isOk());
        }
    }

    @Test
    void requestsOfATenantAreCountedTogether() throws IOException {
        operator("PATCH", "/tenants/" + name + "/settings", Map.of("max_requests_per_second", 1))
                .ok();
        try (var one = Http.to(rookery.site(name, 1));
                var two = Http.to(rookery.site(name, 2));
                var other = rookery.http()) {
            var refusals = new ArrayList<Answer>();
            Eventually.eventually(() -> {
                for (var http : List.of(one, two, one, two, one, two, one, two)) {
                    var answer = http.call("GET", "/v3/login", null, null);
                    if (!answer.isOk()) {
                        refusals.add(answer);
                    }
                }
                return refusals.size() >= 5;
            });
            assertThat(refusals).allSatisfy(answer -> {
                assertThat(answer.errcode()).isEqualTo("M_LIMIT_EXCEEDED");
                assertThat(answer.json().path("error").asString()).contains("max_requests_per_second");
                assertThat(answer.json().path("retry_after_ms").asInt()).isBetween(1, 1000);
            });
            assertThat(other.call("GET", "/v3/login", null, null).isOk()).isTrue();
        }
    }

    @Test
    void waitingPollsOfATenantAreLimited() throws IOException {
        operator("PATCH", "/tenants/" + name + "/settings", Map.of("max_polls", 1))
                .ok();
        try (var http = Http.to(rookery.site(name, 1));
                var second = Http.to(rookery.site(name, 1))) {
            var ada = Session.register(http, "ada");
            var bob = Session.register(second, "bob");
            var since = ada.sync(SyncQuery.initial()).path("next_batch").asString();
            Eventually.eventually(() -> {
                var parked = CompletableFuture.supplyAsync(() -> parked(ada, since));
                while (!parked.isDone()) {
                    var refused = bob.call("GET", "/v3/sync", null);
                    if (!refused.isOk()) {
                        assertThat(refused.errcode()).isEqualTo("M_LIMIT_EXCEEDED");
                        assertThat(refused.json().path("error").asString()).contains("max_polls");
                        return true;
                    }
                }
                return false;
            });
        }
    }

    private static Answer send(Session user, String room) throws IOException {
        return user.call(
                "PUT",
                "/v3/rooms/" + room + "/send/m.room.message/" + UUID.randomUUID(),
                Map.of("msgtype", "m.text", "body", "x"));
    }

    private static Answer dummy(Http http, String user) throws IOException {
        return http.call(
                "POST",
                "/v3/register",
                null,
                Map.of("username", user, "password", "a long passphrase 1", "auth", Map.of("type", "m.login.dummy")));
    }

    private static Answer register(Http http, String user) throws IOException {
        return http.call("POST", "/v3/register", null, Map.of("username", user, "password", "a long passphrase 1"));
    }

    @Test
    void hostsComeAndGo() throws IOException {
        var host = "chat." + name;
        assertThat(login(host, 1).status()).isEqualTo(NOT_FOUND);
        operator("PUT", "/tenants/" + name + "/hosts/" + host, Map.of()).ok();
        Eventually.eventually(() -> login(host, 1).isOk());
        try (var http = Http.to(rookery.site("unknown.example", 1).withPrefix(""))) {
            http.call("GET", "/_rookery/hosts?domain=" + host, null, null).ok();
        }
        assertThat(operator("PUT", "/tenants/localhost/hosts/" + host, Map.of()).status())
                .isEqualTo(CONFLICT);
        operator("DELETE", "/tenants/" + name + "/hosts/" + host, Map.of()).ok();
        Eventually.eventually(() -> login(host, 1).status() == NOT_FOUND);
        assertThat(operator("DELETE", "/tenants/" + name + "/hosts/" + name, Map.of())
                        .errcode())
                .isEqualTo("M_INVALID_PARAM");
    }

    @Test
    void aRepeatedCreationMakesNoSecondTenant() throws IOException {
        assertThat(operator("POST", "/tenants", Map.of("server_name", name)).status())
                .isEqualTo(CONFLICT);
        var key = Map.of("Idempotency-Key", UUID.randomUUID().toString());
        var body = Map.of("server_name", "again-" + name, "settings", Map.of("presence", false));
        var first = operator("POST", "/tenants", body, key).ok();
        var second = operator("POST", "/tenants", body, key).ok();
        assertThat(second.path("number")).isEqualTo(first.path("number"));
        assertThat(second.path("settings").path("presence").asBoolean(true)).isFalse();
        assertThat(operator("GET", "/tenants?search=again-" + name, Map.of())
                        .ok()
                        .path("tenants"))
                .hasSize(1);
    }

    @Test
    void onlyOperatorsAreServed() throws IOException {
        try (var http = Http.to(TenantAddress.at(rookery.operator().base(), "/operator/v1"));
                var gateway = Http.to(rookery.site().withPrefix("/operator/v1"))) {
            assertThat(http.call("GET", "/tenants", null, null).errcode()).isEqualTo("M_MISSING_TOKEN");
            assertThat(http.call("GET", "/tenants", "wrong", null).errcode()).isEqualTo("M_UNKNOWN_TOKEN");
            assertThat(gateway.call("GET", "/tenants", rookery.operator().token(), null)
                            .errcode())
                    .isEqualTo("M_UNRECOGNIZED");
        }
    }
}
