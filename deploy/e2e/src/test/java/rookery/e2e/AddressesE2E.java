// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import rookery.e2e.api.Answer;
import rookery.e2e.api.Http;
import rookery.e2e.api.Session;
import rookery.e2e.running.Rookery;

/** Mail addresses of accounts through the gateway (contract.md 7); the mails are in the data folder. */
@OnOneJvm
class AddressesE2E {
    private static final String SECRET = "secret-of-the-client";

    private final Rookery rookery;
    private final Mailbox mailbox;
    private Http http;
    private Session ada;
    private String address;

    AddressesE2E(Rookery rookery) {
        this.rookery = rookery;
        this.mailbox = new Mailbox(rookery);
    }

    @BeforeEach
    void register() throws IOException {
        http = rookery.http();
        ada = People.newcomer(http, "ada");
        address = People.name("ada") + "@example.org";
    }

    @AfterEach
    void close() {
        http.close();
    }

    @Test
    void validatedAddressIsAddedAndLogsIn() throws IOException {
        var creds =
                Map.of("sid", requested("/v3/account/3pid/email/requestToken", ada.token()), "client_secret", SECRET);
        assertThat(ada.call("POST", "/v3/account/3pid", Map.of("three_pid_creds", creds))
                        .errcode())
                .isEqualTo("M_THREEPID_AUTH_FAILED");
        mailbox.follow(http, address);
        assertThat(ada.post("/v3/account/3pid", Map.of("three_pid_creds", creds))
                        .size())
                .isZero();
        var listed = ada.get("/v3/account/3pid").path("threepids").path(0);
        assertThat(listed.propertyNames()).contains("medium", "address", "validated_at", "added_at");
        assertThat(listed.path("address").asString()).isEqualTo(address);
        assertThat(request("/v3/register/email/requestToken", null, 1).errcode())
                .isEqualTo("M_THREEPID_IN_USE");

        var login = Map.of(
                "type",
                "m.login.password",
                "identifier",
                Map.of("type", "m.id.thirdparty", "medium", "email", "address", address.toUpperCase(Locale.ROOT)),
                "password",
                Steps.PASSWORD);
        assertThat(http.call("POST", "/v3/login", null, login)
                        .ok()
                        .path("user_id")
                        .asString())
                .isEqualTo(ada.userId());

        var which = Map.of("medium", "email", "address", address);
        assertThat(ada.post("/v3/account/3pid/unbind", which)
                        .path("id_server_unbind_result")
                        .asString())
                .isEqualTo("no-support");
        assertThat(ada.post("/v3/account/3pid/delete", which)
                        .path("id_server_unbind_result")
                        .asString())
                .isEqualTo("no-support");
        assertThat(ada.get("/v3/account/3pid").path("threepids").size()).isZero();
        assertThat(http.call("POST", "/v3/login", null, login).errcode()).isEqualTo("M_FORBIDDEN");
    }

    @Test
    void forgottenPasswordIsReplacedByMail() throws IOException {
        var creds =
                Map.of("sid", requested("/v3/account/3pid/email/requestToken", ada.token()), "client_secret", SECRET);
        mailbox.follow(http, address);
        ada.post("/v3/account/3pid", Map.of("three_pid_creds", creds));

        var validation =
                request("/v3/account/password/email/requestToken", null, 2).ok();
        mailbox.follow(http, address);
        var change = Map.of("new_password", "remembered this time");
        var challenge = http.call("POST", "/v3/account/password", null, change);
        assertThat(challenge.status()).isEqualTo(401);
        assertThat(challenge.json().path("flows").toString()).contains("m.login.email.identity");
        var proof = Map.of("sid", validation.path("sid").asString(), "client_secret", SECRET);
        var auth = Map.of(
                "type",
                "m.login.email.identity",
                "threepid_creds",
                proof,
                "session",
                challenge.json().path("session").asString());
        var done = Map.of("new_password", "remembered this time", "auth", auth);
        assertThat(http.call("POST", "/v3/account/password", null, done).text()).isEqualTo("{}");
        assertThat(Steps.login(http, ada.userId(), "remembered this time", Map.of())
                        .isOk())
                .isTrue();
        assertThat(ada.call("GET", "/v3/account/whoami", null).status()).isEqualTo(401);
    }

    private String requested(String path, String token) throws IOException {
        return request(path, token, 1).ok().path("sid").asString();
    }

    private Answer request(String path, @Nullable String token, int attempt) throws IOException {
        return http.call(
                "POST", path, token, Map.of("email", address, "client_secret", SECRET, "send_attempt", attempt));
    }
}
