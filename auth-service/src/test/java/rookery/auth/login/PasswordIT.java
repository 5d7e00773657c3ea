// SPDX-License-Identifier: Apache-2.0
package rookery.auth.login;

import static org.assertj.core.api.Assertions.assertThat;
import static rookery.auth.AuthServer.ALPHA;

import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import rookery.auth.AddressShown;
import rookery.auth.AuthServer;
import rookery.auth.AuthServer.Answer;

@NullUnmarked // runs before all tests
class PasswordIT {
    private static final String PASSWORD = "/_api/client/v3/account/password";

    private static AuthServer server;

    private final String name = AuthServer.name();
    private final Answer session = server.register(ALPHA, name, "correct horse");

    @BeforeAll
    static void start() {
        server = AuthServer.with(List.of(new AddressShown()));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void ownDeviceSurvivesAndAllOthersAreLoggedOut() {
        var other = server.login(ALPHA, name);
        String loginToken = server.withPassword(ALPHA, session, "POST", "/_api/client/v1/login/get_token", "{}")
                .text("login_token");

        var answer = server.withPassword(ALPHA, session, "POST", PASSWORD, "{\"new_password\":\"other horse\"}");

        assertThat(answer.raw().body()).isEqualTo("{}");
        assertThat(server.state(ALPHA, session.text("access_token"))).isEqualTo("known");
        assertThat(server.state(ALPHA, other.text("access_token"))).isEqualTo("unknown");
        assertThat(server.login(ALPHA, name).refusal()).isEqualTo("403 M_FORBIDDEN");
        assertThat(login("other horse").status()).isEqualTo(200);
        assertThat(server.call(
                                ALPHA,
                                "POST",
                                "/_api/client/v3/login",
                                "{\"type\":\"m.login.token\",\"token\":\"%s\"}".formatted(loginToken))
                        .refusal())
                .isEqualTo("403 M_FORBIDDEN");
    }

    @Test
    void otherDevicesStayWhenThatIsWanted() {
        var other = server.login(ALPHA, name);

        server.withPassword(
                ALPHA, session, "POST", PASSWORD, "{\"new_password\":\"other horse\",\"logout_devices\":false}");

        assertThat(server.state(ALPHA, other.text("access_token"))).isEqualTo("known");
        assertThat(login("other horse").status()).isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {}                                                       | 400 M_MISSING_PARAM
            {"new_password":null}                                    | 400 M_MISSING_PARAM
            {"new_password":7}                                       | 400 M_BAD_JSON
            {"new_password":"short"}                                 | 400 M_WEAK_PASSWORD
            {"new_password":"long enough","logout_devices":"yes"}    | 400 M_BAD_JSON
            {"new_password":"long enough","auth":7}                  | 400 M_BAD_JSON
            {"new_password":"                                        | 400 M_NOT_JSON
            """)
    void badRequestsAreRefused(String body, String refusal) {
        assertThat(server.call(ALPHA, session.text("access_token"), "POST", PASSWORD, body)
                        .refusal())
                .isEqualTo(refusal);
    }

    @Test
    void tokenThatIsSentMustBeGood() {
        assertThat(server.call(ALPHA, "rky_nonsense", "POST", PASSWORD, "{\"new_password\":\"other horse\"}")
                        .refusal())
                .isEqualTo("401 M_UNKNOWN_TOKEN");
    }

    @Test
    void withoutATokenAnAddressOfTheAccountIsAskedFor() {
        var challenge = server.call(ALPHA, "POST", PASSWORD, "{\"new_password\":\"other horse\"}");

        assertThat(challenge.status()).isEqualTo(401);
        assertThat(challenge.json().path("flows").get(0).toString())
                .isEqualTo("{\"stages\":[\"m.login.email.identity\"]}");
    }

    @Test
    void ownerOfTheAddressGetsANewPasswordAndAllDevicesAreLoggedOut() {
        String address = owned();
        String body = "{\"new_password\":\"other horse\"}";
        String id = server.call(ALPHA, "POST", PASSWORD, body).text("session");
        String wrong = proof("wrong", id);

        assertThat(server.call(ALPHA, "POST", PASSWORD, wrong).refusal()).isEqualTo("401 M_FORBIDDEN");
        assertThat(server.call(ALPHA, "POST", PASSWORD, proof(address, id))
                        .raw()
                        .body())
                .isEqualTo("{}");

        assertThat(server.state(ALPHA, session.text("access_token"))).isEqualTo("unknown");
        assertThat(login("other horse").status()).isEqualTo(200);
        assertThat(server.call(ALPHA, "POST", PASSWORD, proof(address, id))
                        .raw()
                        .body())
                .as("the answer was lost, and the client asks again")
                .isEqualTo("{}");
        String third = proof(address, id).replace("{\"auth\"", "{\"new_password\":\"third horse\",\"auth\"");
        assertThat(server.call(ALPHA, "POST", PASSWORD, third).refusal())
                .as("used up")
                .isEqualTo("403 M_FORBIDDEN");
        assertThat(login("other horse").status()).isEqualTo(200);
    }

    @Test
    void addressOfNobodyOrOfABlockedUserIsRefused() {
        assertThat(reset("nobody@mail.example").refusal()).isEqualTo("403 M_FORBIDDEN");
        String address = owned();
        server.database()
                .execute("UPDATE auth.account SET blocked = true WHERE user_id = '%s'"
                        .formatted(session.text("user_id")));

        assertThat(reset(address).refusal()).isEqualTo("401 M_USER_LOCKED");
    }

    private Answer reset(String address) {
        return server.call(ALPHA, "POST", PASSWORD, """
                {"new_password":"other horse",
                 "auth":{"type":"m.login.email.identity","threepid_creds":{"sid":"%s","client_secret":"s"}}}
                """.formatted(address));
    }

    private static String proof(String address, String id) {
        return """
                {"auth":{"type":"m.login.email.identity","session":"%s",
                         "threepid_creds":{"sid":"%s","client_secret":"s"}}}
                """.formatted(id, address);
    }

    private String owned() {
        String address = name + "@mail.example";
        server.database().execute("""
                        INSERT INTO auth.threepid (tenant, medium, address, user_id, validated_at, added_at)
                        VALUES (1, 'email', '%s', '%s', now(), now())
                        """.formatted(address, session.text("user_id")));
        return address;
    }

    private Answer login(String password) {
        return server.call(
                ALPHA,
                "POST",
                "/_api/client/v3/login",
                "{\"type\":\"m.login.password\",\"user\":\"%s\",\"password\":\"%s\"}".formatted(name, password));
    }
}
