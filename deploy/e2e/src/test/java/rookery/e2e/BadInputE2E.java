// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import rookery.e2e.api.Answer;
import rookery.e2e.api.Http;
import rookery.e2e.api.Paths;
import rookery.e2e.api.Session;
import rookery.e2e.api.SyncQuery;
import rookery.e2e.api.TenantAddress;
import rookery.e2e.running.Rookery;

/** What nobody should send is answered as contract.md 2 says, under both prefixes, and changes nothing. */
@OnOneJvm
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BadInputE2E {
    private static final String ANY = "?";

    private final Rookery rookery;
    private Session ada;
    private Session bob;
    private String room;
    private List<Http> prefixes;

    BadInputE2E(Rookery rookery) {
        this.rookery = rookery;
    }

    @BeforeAll
    void register() throws IOException {
        var http = rookery.http();
        prefixes = List.of(http, Http.to(rookery.site().withPrefix(TenantAddress.MATRIX)));
        ada = People.newcomer(http, "ada");
        bob = People.newcomer(http, "bob");
        room = ada.createRoom(Map.of("preset", "private_chat"));
    }

    /** Each row has a request with Ada's token and the expected response. */
    @ParameterizedTest
    @CsvFileSource(
            resources = {"bad-input.txt", "accounts.txt"},
            delimiter = '|',
            quoteCharacter = '`')
    void badRequestIsAnsweredAsTheContractSays(String method, String path, String body, int status, String errcode)
            throws IOException {
        for (var http : prefixes) {
            var answer = http.raw(method, filled(path), Map.of("Authorization", "Bearer " + ada.token()), filled(body));
            assertThat(answer.status()).as(answer.toString()).isEqualTo(status);
            if (!errcode.equals(ANY)) {
                assertThat(answer.errcode()).as(answer.toString()).isEqualTo(errcode);
            }
            assertThat(answer.json().path("error").asString(""))
                    .as(answer.toString())
                    .isNotEmpty();
        }
        assertNothingHappened();
    }

    /** A body that is too large is refused in its turn, after token and rights, and not kept (contract.md 2.2). */
    @ParameterizedTest
    @CsvSource({
        "PUT,  /rooms/{room}/send/m.x/1,  2000000, true,  413 M_TOO_LARGE",
        "PUT,  /rooms/{room}/send/m.x/1,  2000000, false, 401 M_MISSING_TOKEN",
        "POST, /admin/rate-limits,        2000000, true,  403 M_FORBIDDEN",
        "POST, /rooms/{room}/nothing,     2000000, true,  404 M_UNRECOGNIZED",
        "POST, /rooms/{room}/messages,    2000000, true,  405 M_UNRECOGNIZED",
        "GET,  /rooms/{room}/messages,    5000,    true,  413 M_TOO_LARGE",
        "POST, /login,                    70000,   false, 413 M_TOO_LARGE",
        "POST, /login,                    6000000, false, 413 M_TOO_LARGE"
    })
    void bodyThatIsTooLargeIsRefusedInItsTurn(String method, String path, int bytes, boolean known, String refusal)
            throws IOException {
        var headers = known ? Map.of("Authorization", "Bearer " + ada.token()) : Map.<String, String>of();
        String body = "{\"a\":\"" + "x".repeat(bytes) + "\"}";
        for (var http : prefixes) {
            var answer = http.raw(method, "/v3" + filled(path), headers, body);
            assertThat(answer.status() + " " + answer.errcode()).isEqualTo(refusal);
        }
    }

    /** Wherever JSON is taken, whatever is sent instead of it gets a refusal, and no accident. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "[]",
                "\"text\"",
                "17",
                "{",
                "{\"a\":}",
                "{} {}",
                "{\"user_id\":{\"a\":1},\"type\":[],\"name\":7,\"username\":{},\"password\":3,\"topic\":[1],\"invite\":\"x\"}",
                "{\"user_id\":\"\\u0000\",\"name\":\"\\u0000\",\"username\":\"\\u0000\",\"room_id\":\"\\u0000\"}",
                "{\"user_id\":\"\\ud800\",\"name\":\"\\ud800\",\"reason\":\"\\ud800\"}",
                "{\"timeout\":1e400,\"limit\":99999999999999999999,\"ban\":1.5,\"typing\":\"yes\"}"
            })
    void bodyThatMakesNoSenseCausesNoAccident(String body) throws IOException {
        for (var request : List.of(
                "POST /v3/login",
                "POST /v3/register",
                "POST /v3/rooms/{room}/kick",
                "POST /v3/rooms/{room}/ban",
                "POST /v3/rooms/{room}/unban",
                "PUT /v3/rooms/{room}/state/m.room.power_levels",
                "PUT /v3/rooms/{room}/state/m.room.member/{bob}",
                "PUT /v3/rooms/{room}/state/m.room.history_visibility",
                "PUT /v3/rooms/{room}/state/m.room.canonical_alias",
                "POST /v3/rooms/!nowhere:localhost/join",
                "PUT /v3/directory/room/%23tea:localhost",
                "PUT /v3/user/{bob}/account_data/org.example.a",
                "POST /v3/user/{bob}/filter")) {
            int space = request.indexOf(' ');
            for (var http : prefixes) {
                var answer = http.raw(
                        request.substring(0, space),
                        filled(request.substring(space + 1)),
                        Map.of("Authorization", "Bearer " + bob.token()),
                        body);
                assertThat(answer.status()).as("%s with %s", answer, body).isLessThan(500);
                assertThat(answer.json().isObject()).as(answer.toString()).isTrue();
            }
        }
        assertNothingHappened();
    }

    @Test
    void tokensThatAreNoneOrSomebodyElsesAreRefused() throws IOException {
        var path = "/v3/joined_rooms";
        for (var http : prefixes) {
            assertRefused(http.raw("GET", path, Map.of(), ""), 401, "M_MISSING_TOKEN");
            assertRefused(http.raw("GET", path, bearer("nonsense"), ""), 401, "M_UNKNOWN_TOKEN");
            assertRefused(http.raw("GET", path, bearer(ada.token() + "x"), ""), 401, "M_UNKNOWN_TOKEN");
            assertRefused(
                    http.raw("GET", path, Map.of("Authorization", "Basic " + ada.token()), ""), 401, "M_MISSING_TOKEN");
            var forged = Map.of("X-Rookery-Caller", "v1.e30.AAAA", "X-Rookery-Service", "v1.e30.AAAA");
            assertRefused(http.raw("GET", path, forged, ""), 401, "M_MISSING_TOKEN");
        }
    }

    @Test
    void syncTokensThatAreDamagedOrSomebodyElsesAreRefused() throws IOException {
        var token = bob.sync(SyncQuery.initial()).path("next_batch").asString();
        assertThat(bob.trySync(SyncQuery.since(token)).status()).isEqualTo(200);
        assertRefused(ada.trySync(SyncQuery.since(token)), 400, "M_INVALID_PARAM");
        for (int at : List.of(0, 1, token.length() / 2, token.length() - 1)) {
            var letter = token.charAt(at) == 'A' ? 'B' : 'A';
            var damaged = token.substring(0, at) + letter + token.substring(at + 1);
            assertRefused(bob.trySync(SyncQuery.since(damaged)), 400, "M_INVALID_PARAM");
            var messages = Paths.room(room, "/messages?dir=b&from=" + Paths.encoded(damaged));
            assertRefused(ada.call("GET", messages, null), 400, "M_INVALID_PARAM");
        }
        assertRefused(bob.trySync(SyncQuery.since(token.substring(0, token.length() / 2))), 400, "M_INVALID_PARAM");
    }

    @Test
    void bodyThatIsTooLargeIsRefused() throws IOException {
        for (var http : prefixes) {
            var send = filled("/v3/rooms/{room}/send/m.room.message/large");
            assertRefused(
                    http.raw("PUT", send, bearer(ada.token()), "{\"body\":\"" + "x".repeat(65_536) + "\"}"),
                    413,
                    "M_TOO_LARGE");
            var many = "{\"name\":\"" + "x".repeat(1_100_000) + "\"}";
            for (int i = 0; i < 20; i++) { // an answer that overtakes the body is lost now and then
                assertRefused(http.raw("POST", "/v3/createRoom", bearer(ada.token()), many), 413, "M_TOO_LARGE");
                assertRefused(http.raw("POST", "/v3/joined_rooms", bearer(ada.token()), many), 405, "M_UNRECOGNIZED");
            }
            var deep = "{\"a\":" + "[".repeat(200) + "]".repeat(200) + "}";
            assertRefused(http.raw("PUT", send, bearer(ada.token()), deep), 400, "M_BAD_JSON");
        }
        assertNothingHappened();
    }

    @Test
    void wrongMethodSaysWhichOnesThereAre() throws IOException {
        for (var http : prefixes) {
            var answer = http.raw("DELETE", "/v3/createRoom", bearer(ada.token()), "");
            assertRefused(answer, 405, "M_UNRECOGNIZED");
            assertThat(answer.headers().firstValue("Allow").orElse("")).contains("POST");
            assertThat(answer.headers().firstValue("Access-Control-Allow-Origin"))
                    .contains("*");
            assertThat(answer.headers().firstValue("X-Request-Id").orElse("")).isNotEmpty();
        }
    }

    private void assertNothingHappened() throws IOException {
        assertThat(bob.get("/v3/joined_rooms").path("joined_rooms").size()).isZero();
        assertThat(ada.get("/v3/joined_rooms")
                        .path("joined_rooms")
                        .valueStream()
                        .map(id -> id.asString()))
                .containsExactly(room);
        var types = new ArrayList<String>();
        ada.messages(room, "b", null, null, 100)
                .path("chunk")
                .forEach(event -> types.add(event.path("type").asString()));
        assertThat(types).doesNotContain("m.room.message", "m.room.topic").hasSizeLessThan(10);
    }

    private static void assertRefused(Answer answer, int status, String errcode) {
        assertThat(answer.status()).as(answer.toString()).isEqualTo(status);
        assertThat(answer.errcode()).as(answer.toString()).isEqualTo(errcode);
    }

    private String filled(String text) {
        return text.replace("{room}", Paths.encoded(room))
                .replace("{ada}", Paths.encoded(ada.userId()))
                .replace("{bob}", Paths.encoded(bob.userId()));
    }

    private static Map<String, String> bearer(String token) {
        return Map.of("Authorization", "Bearer " + token);
    }
}
