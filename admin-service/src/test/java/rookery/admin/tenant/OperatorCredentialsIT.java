// SPDX-License-Identifier: Apache-2.0
package rookery.admin.tenant;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import rookery.admin.RunningAdmin;

/** Operators and their scopes over two instances of admin-service on one database. */
class OperatorCredentialsIT {
    private static final RunningAdmin ADMIN =
            new RunningAdmin(OperatorCalls.settings().toArray(String[]::new));
    private static final OperatorCalls ROOT = new OperatorCalls(ADMIN, OperatorCalls.ROOT);
    private static final OperatorCalls ELSEWHERE =
            new OperatorCalls(ADMIN.another(OperatorCalls.settings().toArray(String[]::new)), OperatorCalls.ROOT);

    private final String name = "o" + UUID.randomUUID().toString().substring(0, 8);

    private String token(String scopes) {
        return ROOT.json("POST", "/operators", body(scopes)).path("token").asString();
    }

    private String body(String scopes) {
        return "{\"name\":\"%s\",\"scopes\":%s}".formatted(name, scopes);
    }

    @Test
    void anOperatorWorksAtEveryInstanceUntilRevoked() {
        var token = token("[\"read\",\"write\"]");
        assertThat(token).startsWith("rkp_");
        for (var calls : List.of(ROOT, ELSEWHERE)) {
            var own = calls.with(token);
            own.json("GET", "/tenants", "");
            own.json("POST", "/tenants/tenant2.example/resume", "");
        }
        assertThat(ROOT.json("GET", "/operators", "").path("operators").toString())
                .contains("\"name\":\"%s\",\"scopes\":[\"read\",\"write\"]".formatted(name), "\"created_by\":\"root\"")
                .doesNotContain(token);

        ROOT.json("DELETE", "/operators/" + name, "");
        for (var calls : List.of(ELSEWHERE, ROOT)) {
            assertThat(calls.with(token).refusal("GET", "/tenants", ""))
                    .as("the next request")
                    .isEqualTo("401 M_UNKNOWN_TOKEN");
        }
        assertThat(ROOT.refusal("DELETE", "/operators/" + name, "")).isEqualTo("404 M_NOT_FOUND");
    }

    @Test
    void readersChangeNothing() {
        var reader = ELSEWHERE.with(token("[\"read\"]"));
        reader.json("GET", "/tenants/1", "");
        reader.json("GET", "/operators", "");
        for (var change : List.of(
                "POST /tenants",
                "PATCH /tenants/1/settings",
                "PUT /tenants/1/hosts/x.example",
                "POST /tenants/1/suspend",
                "GET /tenants/1/export/auth-service",
                "GET /tenants/1/media/00",
                "PUT /tenants/1/administrators/ada",
                "POST /tenants/1/users/ada/password",
                "DELETE /tenants/1/registration-tokens/0123456789abcdef",
                "POST /logs/room/raise-epoch",
                "POST /rebuild/directory",
                "POST /operators",
                "POST /nothing")) {
            var words = change.split(" ", 2);
            assertThat(reader.refusal(words[0], words[1], "{}")).as(change).isEqualTo("403 M_FORBIDDEN");
        }
        assertThat(ROOT.json("GET", "/tenants/1", "").path("state").asString()).isEqualTo("active");
        assertThat(ROOT.records())
                .contains(
                        "1 operator:%s POST /tenants/1/suspend 403".formatted(name),
                        "0 operator:%s POST /logs/room/raise-epoch 403".formatted(name));
    }

    @Test
    void onlyTheRootOperatorMakesAndRevokesOperators() {
        var writer = ROOT.with(token("[\"write\",\"read\"]"));
        assertThat(writer.refusal("POST", "/operators", "{\"name\":\"another\",\"scopes\":[\"read\"]}"))
                .isEqualTo("403 M_FORBIDDEN");
        assertThat(writer.refusal("DELETE", "/operators/" + name, "")).isEqualTo("403 M_FORBIDDEN");
        writer.json("GET", "/tenants", "");
    }

    @Test
    void aNameIsGivenOnce() {
        var requests = IntStream.range(0, 6)
                .mapToObj(i -> CompletableFuture.supplyAsync(
                        () -> (i % 2 == 0 ? ROOT : ELSEWHERE).refusal("POST", "/operators", body("[\"read\"]"))))
                .toList();
        assertThat(requests.stream().map(CompletableFuture::join))
                .containsOnlyOnce("200 ")
                .contains("409 M_INVALID_PARAM");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {}                                             | 400 M_MISSING_PARAM
            {"name":"x"}                                   | 400 M_MISSING_PARAM
            {"name":"x","scopes":[]}                       | 400 M_INVALID_PARAM
            {"name":"x","scopes":["write"]}                | 400 M_INVALID_PARAM
            {"name":"x","scopes":["read","all"]}           | 400 M_INVALID_PARAM
            {"name":"x","scopes":["read",7]}               | 400 M_BAD_JSON
            {"name":"x","scopes":"read"}                   | 400 M_BAD_JSON
            {"name":7,"scopes":["read"]}                   | 400 M_BAD_JSON
            {"name":"root","scopes":["read"]}              | 400 M_INVALID_PARAM
            {"name":"","scopes":["read"]}                  | 400 M_INVALID_PARAM
            {"name":"A b","scopes":["read"]}               | 400 M_INVALID_PARAM
            {"name":"a\\u0000b","scopes":["read"]}         | 400 M_INVALID_PARAM
            [                                              | 400 M_NOT_JSON
            """)
    void hostileBodiesAreRefused(String body, String refusal) {
        assertThat(ROOT.refusal("POST", "/operators", body)).isEqualTo(refusal);
    }

    @Test
    void strangersAreRefused() {
        for (var token : List.of("", "wrong", OperatorCalls.ROOT + "x", "rkp_")) {
            assertThat(ROOT.with(token).refusal("GET", "/tenants", "")).startsWith("401 ");
        }
        assertThat(ROOT.refusal("DELETE", "/operators/%00", "")).isEqualTo("404 M_NOT_FOUND");
    }

    @Test
    void changesAreOnTheRecordWithTheTenantAndTheEnd() {
        var tenant = name + ".example";
        var number = ROOT.json("POST", "/tenants", "{\"server_name\":\"%s\"}".formatted(tenant))
                .path("number")
                .asInt();
        ROOT.json("POST", "/tenants/%s/suspend".formatted(tenant), "");
        ROOT.refusal("PATCH", "/tenants/%s/settings".formatted(tenant), "{\"room_version\":\"9\"}");
        ROOT.refusal("GET", "/tenants/%s/export/no-service".formatted(tenant), "");
        ROOT.json("GET", "/tenants/" + tenant, "");
        ROOT.json("DELETE", "/tenants/" + tenant, "");
        ROOT.refusal("POST", "/tenants/no.%s/suspend".formatted(tenant), "");
        var below = "/tenants/" + number;
        assertThat(ROOT.records().stream().filter(line -> line.contains(below) || line.contains(name)))
                .as("those of tenant 0 stay when the tenant is deleted, and do not name it")
                .containsExactly(
                        "0 operator:root POST %s 200".formatted(below),
                        "%d operator:root POST %s/suspend 200".formatted(number, below),
                        "%d operator:root PATCH %s/settings 400".formatted(number, below),
                        "%d operator:root GET %s/export/no-service 404".formatted(number, below),
                        "0 operator:root DELETE %s 200".formatted(below),
                        "0 operator:root POST /tenants/no.%s/suspend 404".formatted(tenant));
    }
}
