// SPDX-License-Identifier: Apache-2.0
package rookery.admin.user;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import rookery.admin.RunningAdmin;
import rookery.model.caller.Caller.Anonymous;
import rookery.model.caller.Caller.Identity;
import rookery.model.caller.Caller.Known;
import rookery.model.caller.Caller.Reason;
import rookery.model.id.DeviceId;
import rookery.model.id.UserId;
import tools.jackson.databind.json.JsonMapper;

/** Access control, audit records, and the requests to auth-service, for which the test has a stand-in. */
class UserAdministrationIT {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final Identity ROOT = new Known(new UserId("@root:tenant1.example"), new DeviceId("D"), true);
    private static final Identity ADA = new Known(new UserId("@ada:tenant1.example"), new DeviceId("D"), false);
    private static final Identity NOBODY = new Anonymous(Reason.MISSING);

    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final HttpServer accounts;
    private final RunningAdmin admin;
    /** The stand-in's answer for every account. */
    private volatile String account = "{}";

    UserAdministrationIT() throws IOException {
        accounts = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        accounts.createContext("/internal/admin/", this::answer);
        accounts.start();
        admin = new RunningAdmin("--rookery.instances.addresses.auth-service[0]=127.0.0.1:"
                + accounts.getAddress().getPort());
    }

    @AfterEach
    void stop() {
        admin.close();
        accounts.stop(0);
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /v3/admin/whois/@bob:tenant1.example",
        "POST, /v3/admin/users/@bob:tenant1.example/deactivate",
        "POST, /v3/admin/users/@bob:tenant1.example/block",
        "POST, /v3/admin/users/@bob:tenant1.example/unblock",
        "POST, /v3/admin/users/bob/block",
        "POST, /v3/admin/users/@bob:tenant1.example/password",
        "GET, /v1/admin/suspend/@bob:tenant1.example",
        "PUT, /v1/admin/suspend/@bob:tenant1.example",
        "GET, /v1/admin/lock/@bob:tenant1.example",
        "PUT, /v1/admin/lock/bob",
    })
    void gateIsClosedBeforeAnythingIsLookedUp(String method, String path) {
        assertThat(refusal(ADA, method, path)).isEqualTo("403 M_FORBIDDEN");
        assertThat(refusal(NOBODY, method, path)).isEqualTo("401 M_MISSING_TOKEN");
        assertThat(requests).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /v3/admin/whois/bob",
        "GET, /v3/admin/whois/@bob:tenant2.example",
        "POST, /v3/admin/users/@Bob:tenant1.example/block",
        "POST, /v3/admin/users/@bob:elsewhere.example/deactivate",
        "GET, /v1/admin/suspend/@bob:elsewhere.example",
        "PUT, /v1/admin/lock/@bob:elsewhere.example",
    })
    void idsThatAreNotLocalAreRefused(String method, String path) {
        assertThat(refusal(ROOT, method, path)).isEqualTo("400 M_INVALID_PARAM");
        assertThat(requests).isEmpty();
    }

    @Test
    void everyActIsOnTheRecordWithItsEnding() {
        assertThat(call(ROOT, "POST", "/v3/admin/users/@bob:tenant1.example/block")
                        .body())
                .isEqualTo("{}");
        assertThat(refusal(ROOT, "POST", "/v3/admin/users/@nobody:tenant1.example/unblock"))
                .isEqualTo("404 M_NOT_FOUND");
        assertThat(call(ROOT, "POST", "/v3/admin/users/@bob:tenant1.example/deactivate")
                        .body())
                .isEqualTo("{\"id_server_unbind_result\":\"no-support\"}");
        assertThat(call(ROOT, "GET", "/v3/admin/whois/@bob:tenant1.example").body())
                .isEqualTo("{\"user_id\":\"@bob:tenant1.example\",\"devices\":{}}");
        assertThat(record())
                .containsExactly(
                        "@root:tenant1.example block @bob:tenant1.example 192.0.2.7 200",
                        "@root:tenant1.example unblock @nobody:tenant1.example 192.0.2.7 404",
                        "@root:tenant1.example deactivate @bob:tenant1.example 192.0.2.7 200",
                        "@root:tenant1.example whois @bob:tenant1.example 192.0.2.7 200");
        assertThat(requests.getFirst())
                .isEqualTo("/internal/admin/block "
                        + "{\"tenant\":1,\"user\":\"@bob:tenant1.example\",\"by\":\"@root:tenant1.example\"}");
    }

    @Test
    void accountsAreSuspendedAndLockedByTheEndpointsOfTheStandard() {
        String suspend = "/v1/admin/suspend/@bob:tenant1.example";
        String lock = "/v1/admin/lock/@bob:tenant1.example";
        for (boolean on : new boolean[] {true, false}) {
            String suspended = "{\"suspended\":%s}".formatted(on);
            String locked = "{\"locked\":%s}".formatted(on);
            account = "{\"admin\":false,\"deactivated\":false,\"blocked\":%s,\"suspended\":%s}".formatted(on, on);
            assertThat(admin.call(1, ROOT, "PUT", suspend, suspended).body()).isEqualTo(suspended);
            assertThat(call(ROOT, "GET", suspend).body()).isEqualTo(suspended);
            assertThat(admin.call(1, ROOT, "PUT", lock, locked).body()).isEqualTo(locked);
            assertThat(call(ROOT, "GET", lock).body()).isEqualTo(locked);
        }
        String body = "{\"tenant\":1,\"user\":\"@bob:tenant1.example\",\"by\":\"@root:tenant1.example\"}";
        assertThat(requests)
                .contains(
                        "/internal/admin/suspend " + body.replace(",\"by", ",\"suspended\":true,\"by"),
                        "/internal/admin/suspend " + body.replace(",\"by", ",\"suspended\":false,\"by"),
                        "/internal/admin/block " + body,
                        "/internal/admin/unblock " + body);
        assertThat(record())
                .map(line -> line.split(" ", 3)[1])
                .containsExactly("suspend", "see", "block", "see", "unsuspend", "see", "unblock", "see");
        assertThat(refusal(ROOT, "PUT", suspend)).isEqualTo("400 M_MISSING_PARAM");
        assertThat(refusal(ROOT, "PUT", lock)).isEqualTo("400 M_MISSING_PARAM");
    }

    @Test
    void administratorsAndAccountsThatEndedAreNeitherLockedNorSuspended() {
        account = "{\"admin\":true,\"deactivated\":false,\"blocked\":false,\"suspended\":false}";
        for (String path : List.of("/v1/admin/suspend/", "/v1/admin/lock/")) {
            assertThat(refusal(ROOT, "GET", path + "@bob:tenant1.example")).isEqualTo("403 M_FORBIDDEN");
            assertThat(call(ROOT, "GET", path + "@root:tenant1.example").statusCode())
                    .as("of oneself")
                    .isEqualTo(200);
            assertThat(refusal(ROOT, "GET", path + "@nobody:tenant1.example")).isEqualTo("404 M_NOT_FOUND");
        }
        for (String user : List.of("@bob", "@root")) {
            var unlocked =
                    admin.call(1, ROOT, "PUT", "/v1/admin/lock/" + user + ":tenant1.example", "{\"locked\":false}");
            assertThat(unlocked.statusCode()).isEqualTo(403);
        }
        account = "{\"admin\":false,\"deactivated\":true,\"blocked\":false,\"suspended\":false}";
        assertThat(refusal(ROOT, "GET", "/v1/admin/lock/@bob:tenant1.example")).isEqualTo("404 M_NOT_FOUND");
    }

    @Test
    void passwordsAreNotOnTheRecord() {
        var path = "/v3/admin/users/@bob:tenant1.example/password";
        assertThat(admin.call(1, ROOT, "POST", path, "{\"new_password\":\"correct horse\"}")
                        .body())
                .isEqualTo("{}");
        assertThat(requests).containsExactly("""
                /internal/admin/password {"tenant":1,"user":"@bob:tenant1.example","password":"correct horse",\
                "logout_devices":true,"by":"@root:tenant1.example"}""");
        assertThat(record()).containsExactly("@root:tenant1.example reset password @bob:tenant1.example 192.0.2.7 200");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {}                                                    | M_MISSING_PARAM
            {"new_password":null}                                 | M_MISSING_PARAM
            {"new_password":7}                                    | M_BAD_JSON
            {"new_password":"long enough","logout_devices":"yes"} | M_BAD_JSON
            [                                                     | M_NOT_JSON
            """)
    void bodiesWithoutAUsablePasswordAreRefused(String body, String errcode) {
        var answer = admin.call(1, ROOT, "POST", "/v3/admin/users/@bob:tenant1.example/password", body);
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(JSON.readTree(answer.body()).path("errcode").asString()).isEqualTo(errcode);
        assertThat(requests).isEmpty();
    }

    @Test
    void whatCannotBeRecordedIsNotDone() {
        admin.database()
                .sql("ALTER TABLE admin.audit_record RENAME TO gone")
                .then()
                .block();
        assertThat(call(ROOT, "POST", "/v3/admin/users/@bob:tenant1.example/block")
                        .statusCode())
                .isGreaterThanOrEqualTo(500);
        assertThat(requests).isEmpty();
    }

    private List<String> record() {
        var records = admin.database()
                .sql("SELECT actor || ' ' || action || ' ' || target || ' ' || ip || ' ' || status"
                        + " FROM admin.audit_record WHERE tenant = 1 ORDER BY at, id")
                .mapValue(String.class)
                .all()
                .collectList()
                .block();
        return Objects.requireNonNull(records);
    }

    private String refusal(Identity identity, String method, String path) {
        var answer = call(identity, method, path);
        return answer.statusCode() + " "
                + JSON.readTree(answer.body()).path("errcode").asString("");
    }

    private HttpResponse<String> call(Identity identity, String method, String path) {
        return admin.call(1, identity, method, path);
    }

    private void answer(HttpExchange exchange) throws IOException {
        String question = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        String path = exchange.getRequestURI().getPath();
        requests.add(path + " " + question);
        boolean unknown = question.contains("@nobody");
        String text = unknown
                ? "{\"errcode\":\"M_NOT_FOUND\",\"error\":\"there is no such user\"}"
                : switch (path) {
                    case "/internal/admin/whois" -> "{\"user_id\":\"@bob:tenant1.example\",\"devices\":{}}";
                    case "/internal/admin/user" -> account;
                    default -> "{}";
                };
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(unknown ? 404 : 200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }
}
