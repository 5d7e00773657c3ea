// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import rookery.e2e.api.Answer;
import rookery.e2e.api.Http;
import rookery.e2e.api.Session;
import rookery.e2e.api.SyncQuery;
import rookery.e2e.running.Rookery;
import tools.jackson.databind.JsonNode;

/** Tokens, devices and passwords through the gateway (contract.md 3). */
@OnOneJvm
class SessionsE2E {
    private static final Duration LONG = Duration.ofSeconds(30);

    private final Rookery rookery;
    private Http http;

    SessionsE2E(Rookery rookery) {
        this.rookery = rookery;
    }

    @BeforeEach
    void connect() {
        http = rookery.http();
    }

    @AfterEach
    void close() {
        http.close();
    }

    @Test
    void refreshTokenStaysGoodUntilItsSuccessorIsUsed() throws IOException {
        var first = refreshable();
        var lost = refresh(first.path("refresh_token").asString()).ok();
        assertThat(whoami(first).status()).isEqualTo(401);
        assertThat(whoami(first).json().path("soft_logout").asBoolean()).isTrue();
        var second = refresh(first.path("refresh_token").asString()).ok();
        assertThat(whoami(lost).errcode()).isEqualTo("M_UNKNOWN_TOKEN");
        assertThat(whoami(second).status()).isEqualTo(200);
        var late = refresh(first.path("refresh_token").asString());
        assertThat(late.status()).isEqualTo(401);
        assertThat(late.json().path("soft_logout").asBoolean()).isTrue();
        assertThat(refresh(lost.path("refresh_token").asString()).status()).isEqualTo(401);
    }

    @Test
    void interfacePathWantsThePair() throws IOException {
        var pair = refreshable();
        var alone = Map.of("refresh_token", pair.path("refresh_token").asString());
        assertThat(http.call("POST", "/v3/token/refresh", null, alone).errcode())
                .isEqualTo("M_MISSING_PARAM");
        var foreign = Map.of(
                "refresh_token",
                pair.path("refresh_token").asString(),
                "access_token",
                refreshable().path("access_token").asString());
        var refused = http.call("POST", "/v3/token/refresh", null, foreign);
        assertThat(refused.status()).isEqualTo(401);
        assertThat(refused.json().path("soft_logout").asBoolean(true)).isFalse();
        var ours = Map.of(
                "refresh_token",
                pair.path("refresh_token").asString(),
                "access_token",
                pair.path("access_token").asString());
        var renewed = http.call("POST", "/v3/token/refresh", null, ours).ok();
        assertThat(renewed.propertyNames()).containsExactlyInAnyOrder("access_token", "refresh_token", "expires_in_ms");
    }

    @Test
    void manyRefreshesAtOnceLeaveOneLiveChain() throws Exception {
        var pair = refreshable();
        var answers = atOnce(50, () -> refresh(pair.path("refresh_token").asString()));
        assertThat(answers).allMatch(answer -> answer.status() == 200 || answer.status() == 401);
        var alive = new HashSet<String>();
        for (var answer : answers) {
            if (answer.isOk() && whoami(answer.json()).isOk()) {
                alive.add(answer.json().path("access_token").asString());
            }
        }
        assertThat(alive).hasSize(1);
    }

    @Test
    void oneNameIsGivenOnceHoweverManyAskAtOnce() throws Exception {
        var name = People.name("wanted");
        var body = Map.of("username", name, "password", Steps.PASSWORD, "auth", Map.of("type", "m.login.dummy"));
        // fewer than may wait for a thread that hashes passwords: the accounts of other tests are made meanwhile
        var answers = atOnce(30, () -> http.call("POST", "/v3/register", null, body));
        assertThat(answers.stream().filter(Answer::isOk)).hasSize(1);
        assertThat(answers.stream().filter(answer -> !answer.isOk()))
                .allSatisfy(answer -> assertThat(answer.errcode()).isIn("M_USER_IN_USE", "M_LIMIT_EXCEEDED"));
    }

    @Test
    void logoutEndsTheTokenAndItsPollAtOnce() throws Exception {
        var ada = People.newcomer(http, "ada");
        var phone = Session.login(http, ada.userId());
        var since = phone.sync(SyncQuery.initial()).path("next_batch").asString();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var poll = threads.submit(() -> phone.trySync(SyncQuery.since(since).waiting(LONG)));
            ada.post("/v3/logout/all", Map.of());
            assertThat(poll.get().status()).isIn(200, 401);
        }
        for (var gone : List.of(ada, phone)) {
            var answer = gone.call("GET", "/v3/account/whoami", null);
            assertThat(answer.errcode()).isEqualTo("M_UNKNOWN_TOKEN");
            assertThat(answer.json().path("soft_logout").asBoolean(true)).isFalse();
        }
    }

    @Test
    void loginTokenIsGoodOnce() throws IOException {
        var ada = People.newcomer(http, "ada");
        for (String path : List.of("/v1/login/get_token")) {
            assertThat(ada.call("POST", path, Map.of()).status()).isEqualTo(401);
            var given = Steps.withPassword(ada, "POST", path, Map.of()).ok();
            assertThat(given.path("expires_in_ms").asInt()).isEqualTo(120_000);
            var body = Map.of(
                    "type", "m.login.token", "token", given.path("login_token").asString());
            var session = http.call("POST", "/v3/login", null, body).ok();
            assertThat(session.path("user_id").asString()).isEqualTo(ada.userId());
            assertThat(session.path("device_id").asString()).isNotEqualTo(ada.deviceId());
            assertThat(http.call("POST", "/v3/login", null, body).errcode()).isEqualTo("M_FORBIDDEN");
        }
    }

    @Test
    void devicesAreListedNamedAndDeleted() throws IOException {
        var ada = People.newcomer(http, "ada");
        var phone = Session.login(http, ada.userId());
        var path = "/v3/devices/" + phone.deviceId();
        ada.put(path, Map.of("display_name", "Phone"));
        assertThat(ada.get(path).path("display_name").asString()).isEqualTo("Phone");
        assertThat(ada.get("/v3/devices").path("devices").size()).isEqualTo(2);
        assertThat(ada.call("PUT", "/v3/devices/NONE", Map.of()).errcode()).isEqualTo("M_NOT_FOUND");
        assertThat(ada.call("GET", "/v3/devices/NONE", null).errcode()).isEqualTo("M_NOT_FOUND");

        assertThat(Steps.withPassword(ada, "DELETE", path, Map.of()).text()).isEqualTo("{}");
        assertThat(phone.call("GET", "/v3/account/whoami", null).errcode()).isEqualTo("M_UNKNOWN_TOKEN");
        var tablet = Session.login(http, ada.userId());
        var many = Map.of("devices", List.of(tablet.deviceId(), "NONE"));
        assertThat(Steps.withPassword(ada, "POST", "/v3/delete_devices", many).text())
                .isEqualTo("{}");
        assertThat(ada.get("/v3/devices").path("devices").size()).isEqualTo(1);
    }

    @Test
    void sessionOfAnAuthenticationIsForOneRequestOnly() throws IOException {
        var ada = People.newcomer(http, "ada");
        var one = Session.login(http, ada.userId());
        var two = Session.login(http, ada.userId());
        var challenge = ada.call("DELETE", "/v3/devices/" + one.deviceId(), Map.of());
        assertThat(challenge.status()).isEqualTo(401);
        assertThat(challenge.json().path("flows").toString()).isEqualTo("[{\"stages\":[\"m.login.password\"]}]");
        var auth = Steps.answering(challenge.json(), ada.userId(), Map.of(), Steps.PASSWORD);
        assertThat(ada.call("DELETE", "/v3/devices/" + two.deviceId(), auth).errcode())
                .isEqualTo("M_FORBIDDEN");
        assertThat(ada.call("DELETE", "/v3/devices/" + one.deviceId(), auth).isOk())
                .isTrue();
        assertThat(ada.call("DELETE", "/v3/devices/" + one.deviceId(), auth).isOk())
                .as("the same request, whose answer was lost")
                .isTrue();
        assertThat(ada.call("DELETE", "/v3/devices/" + two.deviceId(), auth).errcode())
                .as("another one")
                .isEqualTo("M_FORBIDDEN");
    }

    @Test
    void newPasswordEndsTheOtherSessions() throws IOException {
        var ada = People.newcomer(http, "ada");
        var phone = Session.login(http, ada.userId());
        var weak = Map.of("new_password", "short");
        assertThat(ada.call("POST", "/v3/account/password", weak).errcode()).isEqualTo("M_WEAK_PASSWORD");
        var body = Map.of("new_password", "another fine password");
        assertThat(Steps.withPassword(ada, "POST", "/v3/account/password", body).text())
                .isEqualTo("{}");
        assertThat(phone.call("GET", "/v3/account/whoami", null).status()).isEqualTo(401);
        assertThat(ada.get("/v3/account/whoami").path("user_id").asString()).isEqualTo(ada.userId());
        assertThat(Steps.login(http, ada.userId(), Steps.PASSWORD, Map.of()).errcode())
                .isEqualTo("M_FORBIDDEN");
        assertThat(Steps.login(http, ada.userId(), "another fine password", Map.of())
                        .isOk())
                .isTrue();
    }

    private JsonNode refreshable() throws IOException {
        var user = People.newcomer(http, "ada");
        return Steps.login(http, user.userId(), Steps.PASSWORD, Map.of("refresh_token", true))
                .ok();
    }

    private Answer refresh(String refreshToken) throws IOException {
        return http.call("POST", "/v3/refresh", null, Map.of("refresh_token", refreshToken));
    }

    private Answer whoami(JsonNode session) throws IOException {
        return http.call(
                "GET", "/v3/account/whoami", session.path("access_token").asString(), null);
    }

    private static List<Answer> atOnce(int times, Callable<Answer> request) throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var answers = threads.invokeAll(
                    IntStream.range(0, times).mapToObj(_ -> request).toList());
            return answers.stream().map(future -> future.resultNow()).toList();
        }
    }
}
