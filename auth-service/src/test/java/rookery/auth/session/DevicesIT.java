// SPDX-License-Identifier: Apache-2.0
package rookery.auth.session;

import static org.assertj.core.api.Assertions.assertThat;
import static rookery.auth.AuthServer.ALPHA;
import static rookery.auth.AuthServer.BETA;

import java.util.ArrayList;
import java.util.Collections;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import rookery.auth.AuthServer;
import rookery.auth.AuthServer.Answer;

class DevicesIT {
    private static final String DEVICES = "/_api/client/v3/devices";
    private static final String DELETE_DEVICES = "/_api/client/v3/delete_devices";

    private final AuthServer server = AuthServer.shared();
    private final String name = AuthServer.name();
    private final Answer session = server.register(ALPHA, name, "correct horse");

    @Test
    void devicesAreListedWithWhereTheyWereSeen() {
        var second = server.login(ALPHA, name);
        seen(token(), "192.0.2.9", "agent/1");

        var devices = call("GET", DEVICES, null).json().path("devices");

        assertThat(devices).hasSize(2);
        assertThat(devices.get(0).propertyNames())
                .containsExactlyInAnyOrder("device_id", "display_name", "last_seen_ts", "last_seen_ip");
        assertThat(devices.get(0).path("last_seen_ip").stringValue()).isEqualTo("192.0.2.9");
        assertThat(devices.get(0).path("last_seen_ts").longValue()).isGreaterThan(1_700_000_000_000L);
        assertThat(devices.get(1).path("device_id").stringValue()).isEqualTo(second.text("device_id"));
        assertThat(call("GET", DEVICES + "/" + device(), null).text("device_id"))
                .isEqualTo(device());
        assertThat(call("GET", DEVICES + "/NONE", null).refusal()).isEqualTo("404 M_NOT_FOUND");
    }

    @Test
    void deviceWithoutANameIsShownWithWhatItsClientCallsItselfOrItsId() {
        assertThat(nameOf(device())).as("made by a registration").isEqualTo(device());

        seen(token(), "192.0.2.9", "");
        assertThat(nameOf(device())).isEqualTo(device());
        seen(token(), "192.0.2.10", "Nheko/0.12 (Linux)");
        seen(token(), "192.0.2.11", "curl/8");
        assertThat(nameOf(device())).isEqualTo("Nheko on Linux");
        assertThat(call("GET", DEVICES + "/" + device(), null).text("display_name"))
                .isEqualTo("Nheko on Linux");

        call("PUT", DEVICES + "/" + device(), "{\"display_name\":\"Mine\"}");
        seen(token(), "192.0.2.12", "curl/8");
        assertThat(nameOf(device())).isEqualTo("Mine");
        call("PUT", DEVICES + "/" + device(), "{\"display_name\":\"\"}");
        assertThat(nameOf(device())).as("an empty name is none").isEqualTo(device());
    }

    @ParameterizedTest
    @CsvSource({"x", "\uD83D\uDE00"})
    void nameOfANewDeviceIsCut(String character) {
        String given = "\"initial_device_display_name\":\"%s\"}".formatted(character.repeat(101));
        var login = server.call(ALPHA, "POST", "/_api/client/v3/login", """
                {"type":"m.login.password","user":"%s","password":"correct horse",""".formatted(name) + given);
        var registered =
                server.call(ALPHA, "POST", "/_api/client/v3/register", """
                {"username":"%s","password":"correct horse","auth":{"type":"m.login.dummy"},""".formatted(AuthServer.name()) + given);

        assertThat(nameOf(login.text("device_id"))).isEqualTo(character.repeat(100));
        assertThat(server.call(ALPHA, registered.text("access_token"), "GET", DEVICES, null)
                        .json()
                        .path("devices")
                        .get(0)
                        .path("display_name")
                        .stringValue())
                .isEqualTo(character.repeat(100));
        assertThat(call("PUT", DEVICES + "/" + device(), "{\"display_name\":\"%s\"}".formatted(character.repeat(101)))
                        .refusal())
                .as("who renames a device can choose another name")
                .isEqualTo("400 M_INVALID_PARAM");
    }

    private String nameOf(String device) {
        return call("GET", DEVICES + "/" + device, null).text("display_name");
    }

    @Test
    void connectionsAreKeptByAddressAndAtMostOnceAMinute() {
        for (int i = 0; i < 25; i++) {
            seen(token(), "192.0.2." + i, "agent/" + i);
        }
        seen(token(), "192.0.2.24", "agent/other");
        String of = " FROM auth.device_connection WHERE user_id = '" + session.text("user_id") + "'";

        assertThat(server.count("SELECT count(*)" + of)).isEqualTo(20);
        assertThat(server.count("SELECT count(*)" + of + " AND user_agent = 'agent/other'"))
                .as("seen there less than a minute ago")
                .isZero();
        assertThat(server.count("SELECT count(*)" + of + " AND ip = '192.0.2.4'"))
                .as("the oldest")
                .isZero();
    }

    @Test
    void hostileUserAgentIsKeptShort() {
        var question = "{\"tenant\":1,\"token_hash\":\"%s\",\"ip\":\"192.0.2.1\",\"user_agent\":\"a\\u0000\\ud800%s\"}"
                .formatted(AuthServer.sha256(token()), "x".repeat(5000));

        assertThat(server.internal("POST", "/internal/tokens/resolve", question).status())
                .isEqualTo(200);
        assertThat(server.count("SELECT max(length(user_agent)) FROM auth.device_connection WHERE user_id = '"
                        + session.text("user_id") + "'"))
                .isEqualTo(256);
    }

    @Test
    void deviceIsRenamedAndNeverMade() {
        assertThat(call("PUT", DEVICES + "/" + device(), "{\"display_name\":\"My \\u0000 phone\"}")
                        .raw()
                        .body())
                .isEqualTo("{}");
        assertThat(call("PUT", DEVICES + "/" + device(), "{}").status()).isEqualTo(200);
        assertThat(call("GET", DEVICES + "/" + device(), null).text("display_name"))
                .isEqualTo("My \u0000 phone");
        assertThat(call("PUT", DEVICES + "/NONE", "{\"display_name\":\"x\"}").refusal())
                .isEqualTo("404 M_NOT_FOUND");
        assertThat(call("GET", DEVICES, null).json().path("devices")).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            PUT  | /devices/D      | {"display_name":7}      | 400 M_BAD_JSON
            POST | /delete_devices | {}                      | 400 M_MISSING_PARAM
            POST | /delete_devices | {"devices":[]}          | 400 M_INVALID_PARAM
            POST | /delete_devices | {"devices":[7]}         | 400 M_BAD_JSON
            POST | /delete_devices | {"devices":"D"}         | 400 M_BAD_JSON
            POST | /delete_devices | {"devices":[""]}        | 400 M_INVALID_PARAM
            POST | /delete_devices | {"devices":             | 400 M_NOT_JSON
            """)
    void badRequestsAreRefused(String method, String path, String body, String refusal) {
        assertThat(call(method, "/_api/client/v3" + path, body).refusal()).isEqualTo(refusal);
    }

    @Test
    void longNamesAndListsAreRefused() {
        assertThat(call("PUT", DEVICES + "/" + device(), "{\"display_name\":\"%s\"}".formatted("x".repeat(101)))
                        .refusal())
                .isEqualTo("400 M_INVALID_PARAM");
        var ids = new java.util.ArrayList<String>();
        for (int i = 0; i <= 1000; i++) {
            ids.add("\"D" + i + "\"");
        }
        assertThat(call("POST", DELETE_DEVICES, "{\"devices\":[%s]}".formatted(String.join(",", ids)))
                        .refusal())
                .isEqualTo("400 M_INVALID_PARAM");
        assertThat(call(
                                "POST",
                                DELETE_DEVICES,
                                "{\"devices\":[%s]}".formatted(String.join(",", Collections.nCopies(1001, "\"D\""))))
                        .status())
                .as("one device, named often")
                .isEqualTo(401);
    }

    @Test
    void withoutATokenNothingIsShown() {
        assertThat(server.call(ALPHA, "GET", DEVICES, null).refusal()).isEqualTo("401 M_MISSING_TOKEN");
        assertThat(server.call(ALPHA, "DELETE", DEVICES + "/D", null).refusal()).isEqualTo("401 M_MISSING_TOKEN");
        assertThat(server.call(ALPHA, "POST", DELETE_DEVICES, "{}").refusal()).isEqualTo("401 M_MISSING_TOKEN");
        assertThat(server.call(BETA, token(), "GET", DEVICES, null).refusal()).isEqualTo("401 M_UNKNOWN_TOKEN");
    }

    @Test
    void deviceIsDeletedWithThePasswordAndItsSessionWithIt() {
        var other = server.login(ALPHA, name);
        String path = DEVICES + "/" + other.text("device_id");

        var challenge = call("DELETE", path, null);
        assertThat(challenge.status()).isEqualTo(401);
        assertThat(challenge.json().path("flows").toString()).isEqualTo("[{\"stages\":[\"m.login.password\"]}]");

        assertThat(server.withPassword(ALPHA, session, "DELETE", path, "{}")
                        .raw()
                        .body())
                .isEqualTo("{}");
        assertThat(server.state(ALPHA, other.text("access_token"))).isEqualTo("unknown");
        assertThat(server.state(ALPHA, token())).isEqualTo("known");
        assertThat(server.withPassword(ALPHA, session, "DELETE", path, "{}").status())
                .as("gone already")
                .isEqualTo(200);
    }

    @Test
    void someDevicesAreDeletedAtOnceAndNobodyElses() {
        var second = server.login(ALPHA, name);
        var third = server.login(ALPHA, name);
        var stranger = server.register(ALPHA, AuthServer.name(), "correct horse");

        var answer = server.withPassword(
                ALPHA,
                session,
                "POST",
                DELETE_DEVICES,
                "{\"devices\":[\"%s\",\"%s\",\"%s\",\"NONE\"]}"
                        .formatted(second.text("device_id"), third.text("device_id"), stranger.text("device_id")));

        assertThat(answer.raw().body()).isEqualTo("{}");
        assertThat(server.state(ALPHA, second.text("access_token"))).isEqualTo("unknown");
        assertThat(server.state(ALPHA, third.text("access_token"))).isEqualTo("unknown");
        assertThat(server.state(ALPHA, token())).isEqualTo("known");
        assertThat(server.state(ALPHA, stranger.text("access_token"))).isEqualTo("known");
    }

    @Test
    void userHasNoMoreDevicesThanTheQuotaHoweverManyLoginsComeAtOnce() throws Exception {
        var strict = AuthServer.sharedStrict();
        String name = AuthServer.name();
        var first = strict.register(ALPHA, name, "correct horse");
        var answers = new ArrayList<String>();
        try (var threads = Executors.newFixedThreadPool(6)) {
            Callable<String> login = () -> strict.login(ALPHA, name).refusal();
            for (var answer : threads.invokeAll(Collections.nCopies(6, login))) {
                answers.add(answer.get());
            }
        }
        assertThat(answers)
                .containsOnly("200 ", "403 M_RESOURCE_LIMIT_EXCEEDED")
                .filteredOn("200 "::equals)
                .hasSize(2);
        String again = """
                {"type":"m.login.password","user":"%s","password":"correct horse","device_id":"%s"}
                """.formatted(name, first.text("device_id"));
        assertThat(strict.call(ALPHA, "POST", "/_api/client/v3/login", again).status())
                .as("a device that is there")
                .isEqualTo(200);
    }

    @Test
    void sessionForOneDeviceIsNoneForAnother() {
        var other = server.login(ALPHA, name);
        String id = call("DELETE", DEVICES + "/A", null).text("session");
        String body = AuthServer.authenticated("{}", session, "correct horse", id);

        assertThat(call("DELETE", DEVICES + "/B", body).refusal()).isEqualTo("403 M_FORBIDDEN");
        assertThat(server.call(ALPHA, other.text("access_token"), "DELETE", DEVICES + "/A", body)
                        .refusal())
                .as("another device of the same user")
                .isEqualTo("403 M_FORBIDDEN");
        assertThat(call("DELETE", DEVICES + "/A", body).status()).isEqualTo(200);
    }

    private void seen(String token, String ip, String agent) {
        var question = "{\"tenant\":1,\"token_hash\":\"%s\",\"ip\":\"%s\",\"user_agent\":\"%s\"}"
                .formatted(AuthServer.sha256(token), ip, agent);
        assertThat(server.internal("POST", "/internal/tokens/resolve", question).status())
                .isEqualTo(200);
    }

    private Answer call(String method, String path, @Nullable String body) {
        return server.call(ALPHA, token(), method, path, body);
    }

    private String token() {
        return session.text("access_token");
    }

    private String device() {
        return session.text("device_id");
    }
}
