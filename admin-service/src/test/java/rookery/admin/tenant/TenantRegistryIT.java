// SPDX-License-Identifier: Apache-2.0
package rookery.admin.tenant;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import rookery.admin.RunningAdmin;
import rookery.platform.tenant.TenantList;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The registry of tenants over two instances of admin-service on one database. */
class TenantRegistryIT {
    private static final String TOKEN = "secret-of-operators";
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final String[] SETTINGS = {
        "--rookery.admin.operator.port=0",
        "--rookery.admin.operator.token=" + TOKEN,
        "--rookery.admin.registry-interval=50ms"
    };
    private static final RunningAdmin ONE = new RunningAdmin(SETTINGS);
    private static final RunningAdmin TWO = ONE.another(SETTINGS);

    private final String name = "t" + UUID.randomUUID().toString().substring(0, 8) + ".example";

    private static HttpResponse<String> call(
            RunningAdmin admin, String method, String path, String body, String... headers) {
        var port = admin.bean(OperatorServer.class).port();
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/operator/v1" + path))
                .header("Authorization", "Bearer " + TOKEN)
                .method(method, BodyPublishers.ofString(body));
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        try {
            return HTTP.send(request.build(), BodyHandlers.ofString());
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private HttpResponse<String> create(RunningAdmin admin, String... headers) {
        return call(admin, "POST", "/tenants", "{\"server_name\":\"" + name + "\"}", headers);
    }

    private static JsonNode json(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return JsonMapper.shared().readTree(answer.body());
    }

    private static void refused(HttpResponse<String> answer, int status, String code) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        assertThat(JsonMapper.shared().readTree(answer.body()).path("errcode").asString())
                .isEqualTo(code);
    }

    @Test
    void tenantsOfTheConfigurationAreThereOnce() {
        var names = new ArrayList<String>();
        json(call(TWO, "GET", "/tenants?limit=1000", ""))
                .path("tenants")
                .forEach(tenant -> names.add(tenant.path("server_name").asString()));
        assertThat(names).contains("tenant1.example", "tenant2.example").doesNotHaveDuplicates();
    }

    @Test
    void aFollowerIsAnsweredAsSoonAsAnotherInstanceChangesSomething() {
        long before = ONE.bean(TenantRegistry.class).list().version();
        var waiting = ONE.bean(TenantRegistry.class).after(before).toFuture();
        assertThat(waiting).isNotDone();
        json(create(TWO));
        assertThat(waiting.join())
                .satisfies(list -> assertThat(list.version()).isGreaterThan(before))
                .extracting(TenantList::tenants)
                .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.LIST)
                .isNotEmpty();
    }

    @Test
    void creationsAtTheSameTimeGetNumbersOfTheirOwn() {
        var creations = new ArrayList<CompletableFuture<HttpResponse<String>>>();
        for (int i = 0; i < 20; i++) {
            var admin = i % 2 == 0 ? ONE : TWO;
            var body = "{\"server_name\":\"n%d-%s\"}".formatted(i, name);
            creations.add(CompletableFuture.supplyAsync(() -> call(admin, "POST", "/tenants", body)));
        }
        var numbers = new HashSet<Integer>();
        creations.forEach(
                creation -> numbers.add(json(creation.join()).path("number").asInt()));
        assertThat(numbers).hasSize(20);
    }

    @Test
    void oneOfTwoCreationsWithOneKeyMakesTheTenant() {
        var first = CompletableFuture.supplyAsync(() -> create(ONE, "Idempotency-Key", name));
        var second = CompletableFuture.supplyAsync(() -> create(TWO, "Idempotency-Key", name));
        assertThat(json(first.join()).path("number"))
                .isEqualTo(json(second.join()).path("number"));
        refused(create(ONE), 409, "M_INVALID_PARAM");
        refused(create(ONE, "Idempotency-Key", "another"), 409, "M_INVALID_PARAM");
    }

    @Test
    void badRequestsChangeNothing() {
        json(create(ONE));
        for (var body : List.of(
                "{}",
                "{\"server_name\":\"no name\"}",
                "{\"server_name\":\"Upper.%s\"}".formatted(name),
                "{\"server_name\":\"a.%s\",\"hosts\":[\"x y\"]}".formatted(name),
                "{\"server_name\":\"a.%s\",\"hosts\":\"x\"}".formatted(name),
                "{\"server_name\":\"a.%s\",\"settings\":{\"room_version\":\"9\"}}".formatted(name),
                "nonsense")) {
            assertThat(call(ONE, "POST", "/tenants", body).statusCode())
                    .as(body)
                    .isEqualTo(400);
        }
        refused(
                call(
                        ONE,
                        "POST",
                        "/tenants",
                        "{\"server_name\":\"b.%s\",\"hosts\":[\"%s:8008\"]}".formatted(name, name)),
                409,
                "M_INVALID_PARAM");
        refused(call(ONE, "GET", "/tenants/a." + name, ""), 404, "M_NOT_FOUND");
        refused(call(ONE, "GET", "/tenants/b." + name, ""), 404, "M_NOT_FOUND");
        refused(call(ONE, "GET", "/nothing", ""), 404, "M_UNRECOGNIZED");
        refused(call(ONE, "POST", "/tenants", "x".repeat(400_000)), 413, "M_TOO_LARGE");
        refused(call(ONE, "GET", "/tenants?limit=x", ""), 400, "M_INVALID_PARAM");
    }

    @Test
    void pagesFollowEachOther() {
        for (int i = 0; i < 5; i++) {
            json(call(ONE, "POST", "/tenants", "{\"server_name\":\"p%d.%s\"}".formatted(i, name)));
        }
        var seen = new ArrayList<String>();
        int after = 0;
        do {
            var page = json(call(ONE, "GET", "/tenants?limit=2&search=" + name + "&after=" + after, ""));
            assertThat(page.path("tenants").size()).isLessThanOrEqualTo(2);
            page.path("tenants")
                    .forEach(tenant -> seen.add(tenant.path("server_name").asString()));
            after = page.path("next").asInt(0);
        } while (after > 0);
        assertThat(seen).containsExactly("p0." + name, "p1." + name, "p2." + name, "p3." + name, "p4." + name);
    }

    /** As after a restore of a backup. */
    @Test
    void aDatabaseThatWasSetBackIsBelieved() {
        json(create(ONE));
        Awaitility.await().until(() -> TWO.bean(TenantRegistry.class).list().version() > 1);
        ONE.database().sql("UPDATE admin.registry SET version = 1").then().block();
        for (var admin : List.of(ONE, TWO)) {
            Awaitility.await()
                    .until(() -> admin.bean(TenantRegistry.class).list().version() == 1);
        }
    }

    @Test
    void aStartAddsHostsOfTheConfigurationBesideOneThatAnotherTenantHas() {
        json(create(ONE));
        var settings = new ArrayList<>(List.of(SETTINGS));
        settings.add("--rookery.tenants[0].hosts[0]=" + name);
        settings.add("--rookery.tenants[0].hosts[1]=more-" + name);
        try (var started = ONE.another(settings.toArray(String[]::new))) {
            Awaitility.await()
                    .until(() -> call(started, "GET", "/tenants/tenant1.example", "")
                            .body()
                            .contains("more-" + name));
            assertThat(json(call(started, "GET", "/tenants/" + name, ""))
                            .path("hosts")
                            .toString())
                    .isEqualTo("[\"%s\"]".formatted(name));
        }
    }

    @Test
    void anAbandonedImportIsDeletedAtOnceAndNeverServed() {
        json(call(ONE, "POST", "/tenants", "{\"server_name\":\"%s\",\"import\":true}".formatted(name)));
        var other = "{\"server_name\":\"other-%s\",\"import\":true}".formatted(name);
        refused(call(ONE, "POST", "/tenants", other), 409, "M_INVALID_PARAM");
        refused(call(ONE, "POST", "/tenants/" + name + "/resume", ""), 409, "M_INVALID_PARAM");
        assertThat(json(call(ONE, "DELETE", "/tenants/" + name, ""))
                        .path("state")
                        .asString())
                .isEqualTo("erasing");
        refused(call(ONE, "POST", "/tenants/" + name + "/resume", ""), 409, "M_INVALID_PARAM");
        refused(call(ONE, "POST", "/tenants/" + name + "/import/done", ""), 409, "M_INVALID_PARAM");
    }

    @Test
    void aStartGivesADeletedTenantNoHosts() {
        int number = json(create(ONE)).path("number").asInt();
        for (var sql : List.of(
                "UPDATE admin.tenant SET state = 'deleted' WHERE tenant = " + number,
                "DELETE FROM admin.tenant_host WHERE tenant = " + number,
                "UPDATE admin.registry SET version = version + 1")) {
            ONE.database().sql(sql).then().block();
        }
        var settings = new ArrayList<>(List.of(SETTINGS));
        settings.add("--rookery.tenants[2].id=" + number);
        settings.add("--rookery.tenants[2].server-name=" + name);
        settings.add("--rookery.tenants[2].hosts[0]=more-" + name);
        try (var started = ONE.another(settings.toArray(String[]::new))) {
            var shown = Awaitility.await()
                    .until(() -> call(started, "GET", "/tenants/" + name, ""), answer -> answer.statusCode() == 200);
            assertThat(json(shown).path("hosts")).isEmpty();
            refused(call(started, "PUT", "/tenants/" + name + "/hosts/h." + name, ""), 409, "M_INVALID_PARAM");
        }
    }

    @Test
    void changesOfDifferentSettingsAtTheSameTimeAreBothKept() {
        json(create(ONE));
        var path = "/tenants/" + name + "/settings";
        Awaitility.await().until(() -> call(TWO, "GET", "/tenants/" + name, "").statusCode() == 200);
        for (int i = 1; i <= 10; i++) {
            var users = "{\"max_users\":%d}".formatted(i);
            var presence = "{\"presence\":%s}".formatted(i % 2 == 0);
            var first = CompletableFuture.supplyAsync(() -> call(ONE, "PATCH", path, users));
            var second = CompletableFuture.supplyAsync(() -> call(TWO, "PATCH", path, presence));
            json(first.join());
            json(second.join());
            var kept = json(call(ONE, "PATCH", path, "{}")).path("settings");
            assertThat(kept.path("max_users").asInt()).isEqualTo(i);
            assertThat(kept.path("presence").asBoolean()).isEqualTo(i % 2 == 0);
        }
    }
}
