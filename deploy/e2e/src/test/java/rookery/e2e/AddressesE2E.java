package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import rookery.e2e.api.Answer;
import rookery.e2e.api.Http;
import rookery.e2e.api.Session;
import rookery.e2e.running.Rookery;

/** Mail addresses of accounts through the gateway (CONTRACT.md 7); the mails are in the data folder. */
@ExtendWith(ClusterExtension.class)
class AddressesE2E {
    private static final Pattern LINK =
            Pattern.compile("https?://[^\\s\"<>]+/validate/email/submitToken\\?[^\\s\"<>]+");
    private static final String SECRET = "secret-of-the-client";

    private final Rookery rookery;
    private final List<URI> used = new ArrayList<>();
    private Http http;
    private Session ada;
    private String address;

    AddressesE2E(Rookery rookery) {
        this.rookery = rookery;
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
        follow(link());
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
        follow(link());
        ada.post("/v3/account/3pid", Map.of("three_pid_creds", creds));

        var asked = request("/v3/account/password/email/requestToken", null, 2).ok();
        follow(link());
        var change = Map.of("new_password", "remembered this time");
        var challenge = http.call("POST", "/v3/account/password", null, change);
        assertThat(challenge.status()).isEqualTo(401);
        assertThat(challenge.json().path("flows").toString()).contains("m.login.email.identity");
        var proof = Map.of("sid", asked.path("sid").asString(), "client_secret", SECRET);
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

    /** As a browser does: looks at the page, then presses its button. */
    private void follow(URI link) throws IOException {
        var path = link.getRawPath().replaceFirst("^/_api/client", "") + "?" + link.getRawQuery();
        var page = http.raw("GET", path, Map.of(), "");
        assertThat(page.status()).as(page.toString()).isEqualTo(200);
        assertThat(page.headers().firstValue("Content-Type").orElse("")).startsWith("text/html");
        var form = Map.of("Content-Type", "application/x-www-form-urlencoded");
        assertThat(http.raw("POST", link.getRawPath().replaceFirst("^/_api/client", ""), form, link.getRawQuery())
                        .status())
                .isIn(200, 302);
    }

    /** The link in the latest mail to the address. */
    private URI link() throws IOException {
        try (var mails = Files.list(rookery.plan().data().resolve("mail"))) {
            var mail = mails.map(AddressesE2E::text)
                    .filter(text -> text.contains(address))
                    .toList();
            var links = mail.stream()
                    .flatMap(text -> LINK.matcher(text).results().limit(1))
                    .map(found -> URI.create(found.group().replace("&amp;", "&")))
                    .toList();
            var fresh = links.stream().filter(link -> !used.contains(link)).toList();
            assertThat(fresh).hasSize(1);
            used.add(fresh.getFirst());
            return fresh.getFirst();
        }
    }

    /** Quoted-printable is undone as far as a link needs it. */
    private static String text(Path file) {
        try {
            return Files.readString(file, StandardCharsets.UTF_8)
                    .replace("=\r\n", "")
                    .replace("=\n", "")
                    .replace("=3D", "=");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
