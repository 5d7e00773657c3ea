// SPDX-License-Identifier: Apache-2.0
package rookery.auth.session;

import static org.assertj.core.api.Assertions.assertThat;
import static rookery.auth.AuthServer.ALPHA;
import static rookery.auth.AuthServer.BETA;

import io.lettuce.core.RedisClient;
import java.util.ArrayList;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import rookery.auth.AuthServer;
import rookery.auth.AuthServer.Answer;
import rookery.embedded.TestServers;
import tools.jackson.databind.JsonNode;

class SessionIT {
    private static final String LOGOUT = "/_api/client/v3/logout";
    private static final String REFRESH = "/_api/client/v3/refresh";
    private static final String REFRESH_PAIR = "/_api/client/v3/token/refresh";
    private static final String WHOAMI = "/_api/client/v3/account/whoami";

    private final AuthServer server = AuthServer.shared();

    @Test
    void logoutEndsTheSessionAndSaysSoInTheUserLog() {
        String name = AuthServer.name();
        var session = server.register(ALPHA, name, "correct horse");
        String token = session.text("access_token");
        String other = login(name, "").text("access_token");

        var answer = server.call(ALPHA, token, "POST", LOGOUT, null);

        assertThat(answer.raw().body()).isEqualTo("{}");
        assertThat(server.call(ALPHA, token, "GET", WHOAMI, null).refusal()).isEqualTo("401 M_UNKNOWN_TOKEN");
        assertThat(server.call(ALPHA, other, "GET", WHOAMI, null).status()).isEqualTo(200);
        assertThat(ended(name)).containsExactly(session.text("device_id"));
    }

    @Test
    void logoutOfAllEndsEverySession() {
        String name = AuthServer.name();
        String first = server.tokenOfNewUser(ALPHA, name);
        String second = login(name, "").text("access_token");

        assertThat(server.call(ALPHA, first, "POST", LOGOUT + "/all", "{}")
                        .raw()
                        .body())
                .isEqualTo("{}");

        assertThat(state(first)).isEqualTo("unknown");
        assertThat(state(second)).isEqualTo("unknown");
        assertThat(ended(name)).hasSize(2);
    }

    @Test
    void revokedTokensHaveATombstoneAndNoCacheEntry() {
        String token = server.tokenOfNewUser(ALPHA, AuthServer.name());
        String of = ALPHA.id() + ":" + AuthServer.sha256(token);
        try (var client = RedisClient.create(TestServers.redisUrl());
                var redis = client.connect()) {
            redis.sync().set("tok:" + of, "{}");

            server.call(ALPHA, token, "POST", LOGOUT, null);

            assertThat(redis.sync().get("tok:" + of)).isNull();
            assertThat(redis.sync().get("gone:" + of)).isEqualTo("1");
            assertThat(redis.sync().pttl("gone:" + of)).isBetween(1L, 15_000L);
        }
    }

    @Test
    void withoutRedisALogoutWaitsOutWhatGatewaysMayHaveKept() {
        try (var another =
                server.another("--rookery.redis.url=redis://127.0.0.1:1", "--rookery.auth.session.cache-life=300ms")) {
            String token = another.tokenOfNewUser(ALPHA, AuthServer.name());
            long begin = System.nanoTime();

            assertThat(another.call(ALPHA, token, "POST", LOGOUT, null).status())
                    .isEqualTo(200);

            assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(300_000_000L);
            assertThat(another.call(ALPHA, token, "GET", WHOAMI, null).refusal())
                    .isEqualTo("401 M_UNKNOWN_TOKEN");
        }
    }

    @Test
    void withoutATokenNobodyIsLoggedOut() {
        assertThat(server.call(ALPHA, "POST", LOGOUT, null).refusal()).isEqualTo("401 M_MISSING_TOKEN");
        var unknown = server.call(ALPHA, "rky_nonsense", "POST", LOGOUT, null);
        assertThat(unknown.refusal()).isEqualTo("401 M_UNKNOWN_TOKEN");
        assertThat(unknown.json().path("soft_logout").booleanValue()).isFalse();
    }

    @Test
    void tokensOfBlockedUsersAreLocked() {
        String name = AuthServer.name();
        String token = server.tokenOfNewUser(ALPHA, name);
        server.database()
                .execute("UPDATE auth.account SET blocked = true WHERE user_id = '%s'".formatted(ALPHA.user(name)));

        assertThat(state(token)).isEqualTo("locked");
        assertThat(server.resolve(ALPHA, token).path("user").stringValue()).isEqualTo(ALPHA.user(name));
    }

    @Test
    void callsWithoutTheServiceCredentialAreRefused() {
        assertThat(server.call(ALPHA, "POST", "/internal/tokens/resolve", "{}").refusal())
                .isEqualTo("403 M_FORBIDDEN");
    }

    @Test
    void refreshReplacesThePair() {
        var first = refreshable();
        var second = refresh(first);

        assertThat(second.json().propertyNames())
                .containsExactlyInAnyOrder("access_token", "refresh_token", "expires_in_ms");
        assertThat(state(first.text("access_token"))).isEqualTo("expired");
        assertThat(state(second.text("access_token"))).isEqualTo("known");
    }

    @Test
    void lostRefreshIsRepeatedUntilTheSuccessorIsUsed() { // contract.md 16.7
        var first = refreshable();
        var lost = refresh(first);
        var third = refresh(first);

        assertThat(third.status()).isEqualTo(200);
        assertThat(state(lost.text("access_token"))).isEqualTo("unknown");
        assertThat(refresh(lost).refusal()).isEqualTo("401 M_UNKNOWN_TOKEN");
        assertThat(state(third.text("access_token"))).isEqualTo("known");
        var late = refresh(first);
        assertThat(late.refusal()).isEqualTo("401 M_UNKNOWN_TOKEN");
        assertThat(late.json().path("soft_logout").booleanValue()).isTrue();
        assertThat(state(third.text("access_token"))).as("the chain lives on").isEqualTo("known");
    }

    @Test
    void useOfTheSuccessorsRefreshTokenEndsTheFirstOneToo() {
        var first = refreshable();
        var second = refresh(first);
        var third = refresh(second);

        assertThat(third.status()).isEqualTo(200);
        assertThat(refresh(first).refusal()).isEqualTo("401 M_UNKNOWN_TOKEN");
        assertThat(state(third.text("access_token"))).isEqualTo("known");
    }

    @Test
    void fiftySimultaneousRefreshesLeaveOneLiveChain() throws Exception {
        var first = refreshable();
        var answers = new ArrayList<Answer>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var running = IntStream.range(0, 50)
                    .mapToObj(_ -> threads.submit(() -> refresh(first)))
                    .toList();
            for (var one : running) {
                answers.add(one.get());
            }
        }

        assertThat(answers).extracting(Answer::status).contains(200).isSubsetOf(200, 503); // 503: the pool is small
        assertThat(answers)
                .filteredOn(answer -> answer.status() == 200)
                .filteredOn(answer -> state(answer.text("access_token")).equals("known"))
                .hasSize(1);
    }

    @Test
    void pairMustMatchOnTheInterfacesPath() {
        var first = refreshable();
        var other = refreshable();

        var mixed = refreshPair(first.text("refresh_token"), other.text("access_token"));
        assertThat(mixed.refusal()).isEqualTo("401 M_UNKNOWN_TOKEN");
        assertThat(mixed.json().path("soft_logout").booleanValue()).isFalse();
        assertThat(refreshPair(first.text("refresh_token"), first.text("access_token"))
                        .status())
                .isEqualTo(200);
        assertThat(server.call(ALPHA, "POST", REFRESH_PAIR, "{\"refresh_token\":\"r\"}")
                        .refusal())
                .isEqualTo("400 M_MISSING_PARAM");
        assertThat(server.call(ALPHA, "POST", REFRESH, "{}").refusal()).isEqualTo("400 M_MISSING_PARAM");
    }

    @Test
    void refreshTokenIsWorthNothingAfterLogoutOrElsewhere() {
        var session = refreshable();
        String body = "{\"refresh_token\":\"%s\"}".formatted(session.text("refresh_token"));

        assertThat(server.call(BETA, "POST", REFRESH, body).refusal()).isEqualTo("401 M_UNKNOWN_TOKEN");
        server.call(ALPHA, session.text("access_token"), "POST", LOGOUT, null);
        var refused = server.call(ALPHA, "POST", REFRESH, body);
        assertThat(refused.refusal()).isEqualTo("401 M_UNKNOWN_TOKEN");
        assertThat(refused.json().path("soft_logout").booleanValue()).isFalse();
    }

    @Test
    void expiredTokensAreSoftlyLoggedOutAndCanBeRefreshed() {
        try (var brief = server.another("--rookery.auth.session.access-token-life=1ms")) {
            String name = AuthServer.name();
            server.register(ALPHA, name, "correct horse");
            var session =
                    brief.call(ALPHA, "POST", "/_api/client/v3/login", loginBody(name, ",\"refresh_token\":true"));

            var refused = server.call(ALPHA, session.text("access_token"), "GET", WHOAMI, null);
            assertThat(refused.refusal()).isEqualTo("401 M_UNKNOWN_TOKEN");
            assertThat(refused.json().path("soft_logout").booleanValue()).isTrue();
            assertThat(refresh(session).status()).isEqualTo(200);
        }
    }

    @Test
    void refreshOfABlockedUserIsLocked() {
        var session = refreshable();
        server.database()
                .execute("UPDATE auth.account SET blocked = true WHERE user_id = '%s'"
                        .formatted(session.text("user_id")));

        assertThat(refresh(session).refusal()).isEqualTo("401 M_USER_LOCKED");
    }

    private Answer refreshable() {
        String name = AuthServer.name();
        server.register(ALPHA, name, "correct horse");
        return login(name, ",\"refresh_token\":true");
    }

    private Answer refresh(Answer session) {
        return server.call(
                ALPHA, "POST", REFRESH, "{\"refresh_token\":\"%s\"}".formatted(session.text("refresh_token")));
    }

    private Answer refreshPair(String refresh, String access) {
        return server.call(
                ALPHA,
                "POST",
                REFRESH_PAIR,
                "{\"refresh_token\":\"%s\",\"access_token\":\"%s\"}".formatted(refresh, access));
    }

    private Answer login(String name, String more) {
        return server.call(ALPHA, "POST", "/_api/client/v3/login", loginBody(name, more));
    }

    private static String loginBody(String name, String more) {
        return "{\"type\":\"m.login.password\",\"user\":\"%s\",\"password\":\"correct horse\"%s}".formatted(name, more);
    }

    private String state(String token) {
        return server.resolve(ALPHA, token).path("state").stringValue();
    }

    /** The devices with an ended session in the user's log. */
    private java.util.List<String> ended(String name) {
        int shard = rookery.model.id.Shards.of(new rookery.model.id.UserId(ALPHA.user(name)));
        var entries = new ArrayList<JsonNode>();
        long after = 0;
        while (true) {
            var range = server.internal("GET", "/internal/log/" + shard + "?after=" + after, null)
                    .json();
            range.path("entries").forEach(entries::add);
            after = range.path("covered_to").longValue();
            if (after >= range.path("head").longValue()) {
                break;
            }
        }
        return entries.stream()
                .filter(entry -> entry.path("kind").stringValue().equals("session_ended"))
                .filter(entry -> entry.path("subject").stringValue().equals(ALPHA.user(name)))
                .map(entry -> entry.path("body").stringValue())
                .map(body -> tools.jackson.databind.json.JsonMapper.shared()
                        .readTree(body)
                        .path("device")
                        .stringValue())
                .toList();
    }
}
