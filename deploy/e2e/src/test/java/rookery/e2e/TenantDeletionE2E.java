// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import rookery.e2e.api.Http;
import rookery.e2e.api.Session;
import rookery.e2e.running.Instance;
import rookery.e2e.running.Rookery;
import rookery.embedded.Deadline;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/** A tenant that an operator deletes, while every service is killed once (contract.md 20). */
@BreaksCluster("kills processes")
class TenantDeletionE2E {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration PAUSE = Duration.ofMillis(200);

    /** Of every service. */
    private static final List<String> VICTIMS = List.of(
            "admin-service-1",
            "auth-service-1",
            "room-service-1",
            "sync-service-1",
            "directory-service-1",
            "push-service-1");

    private static final List<String> SERVICES = List.of(
            "auth-service", "room-service", "sync-service", "directory-service", "push-service", "admin-service");

    /** The registry keeps the number and the name for ever. */
    private static final Set<String> KEPT_ROWS = Set.of(
            "auth.tenant_name",
            "room.tenant_name",
            "sync.tenant_name",
            "directory.tenant_name",
            "push.tenant_name",
            "admin.tenant_name",
            "admin.tenant",
            "admin.tenant_deletion");

    private static final Set<String> KEPT_NAMES = Set.of(
            "auth.tenant_name.server_name",
            "room.tenant_name.server_name",
            "sync.tenant_name.server_name",
            "directory.tenant_name.server_name",
            "push.tenant_name.server_name",
            "admin.tenant_name.server_name",
            "admin.tenant.server_name",
            "auth.tenant_copy.tenants",
            "room.tenant_copy.tenants",
            "sync.tenant_copy.tenants",
            "directory.tenant_copy.tenants",
            "push.tenant_copy.tenants");

    /** Every table with a column tenant and a row of the tenant. */
    private static final String ROWS = """
            SELECT string_agg(format('(SELECT %L FROM %I.%I WHERE tenant = NUMBER LIMIT 1)',
                                     c.table_schema || '.' || c.table_name, c.table_schema, c.table_name), ' UNION ALL ')
              FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
             WHERE t.table_type = 'BASE TABLE' AND c.column_name = 'tenant' AND c.table_name <> 'deleted_entry'
               AND c.table_name NOT LIKE 'transaction\\__'
            """;

    private final Rookery rookery;
    private final FilledTenant tenant;
    private final OperatorCalls operator;
    private final String name;

    TenantDeletionE2E(Rookery rookery) {
        this.rookery = rookery;
        this.tenant = new FilledTenant(rookery);
        this.operator = tenant.operator;
        this.name = tenant.name;
    }

    @BeforeEach
    void create() throws IOException {
        tenant.create();
    }

    private JsonNode shown() {
        try {
            return operator.call("GET", "/tenants/" + name, Map.of()).json();
        } catch (IOException _) {
            return MissingNode.getInstance();
        }
    }

    private List<String> tables() {
        var tables = new ArrayList<String>();
        for (var service : SERVICES) {
            var database = rookery.database(service);
            database.texts(ROWS.replace("NUMBER", Integer.toString(tenant.number)))
                    .forEach(query -> tables.addAll(database.texts(query)));
        }
        return tables;
    }

    @Test
    void nothingIsLeftThoughEveryServiceIsKilled() throws Exception {
        try (var http = Http.to(rookery.site(name, 1))) {
            tenant.fill(http);
        }
        assertThat(tables()).hasSizeGreaterThan(40);
        var files = rookery.plan().data().resolve("media").resolve(Integer.toString(tenant.number));
        assertThat(files).isDirectory();

        assertThat(operator.call("POST", "/tenants/" + name + "/erase", Map.of("server_name", name))
                        .status())
                .as("not asked to be deleted")
                .isEqualTo(409);
        operator.call("DELETE", "/tenants/" + name, Map.of()).ok();
        assertThat(operator.call("POST", "/tenants/" + name + "/erase", Map.of("server_name", "other.example"))
                        .errcode())
                .isEqualTo("M_INVALID_PARAM");
        operator.call("POST", "/tenants/" + name + "/erase", Map.of("server_name", name))
                .ok();
        var killed = new HashMap<String, Instance>();
        for (var victim : VICTIMS) {
            killed.put(victim, rookery.kill(victim));
        }
        killed.forEach((victim, before) -> assertThat(
                        Deadline.in(PATIENCE).until(PAUSE, () -> rookery.runs(victim, before)))
                .as("%s runs again", victim)
                .isTrue());
        assertThat(Deadline.in(PATIENCE)
                        .until(PAUSE, () -> shown().path("state").asString().equals("deleted")))
                .as(() -> "the tenant: " + shown())
                .isTrue();

        assertThat(tables()).containsExactlyInAnyOrderElementsOf(KEPT_ROWS);
        assertThat(Traces.of(rookery, name, KEPT_NAMES)).isEmpty();
        assertThat(Files.exists(files)).isFalse();
        Eventually.eventually(
                () -> tenant.flows(1).status() == 404 && tenant.flows(2).status() == 404);
        assertThat(operator.call("POST", "/tenants", Map.of("server_name", name))
                        .status())
                .as("the name is not given again")
                .isEqualTo(409);
        assertThat(operator.call("POST", "/tenants/" + name + "/resume", Map.of())
                        .status())
                .isEqualTo(409);
        assertThat(operator.call("GET", "/tenants?search=" + name, Map.of())
                        .ok()
                        .path("tenants"))
                .isEmpty();
        assertThat(operator.call("GET", "/tenants?state=deleted&search=" + name, Map.of())
                        .ok()
                        .path("tenants"))
                .hasSize(1);
    }

    @Test
    void aTenantIsResumedBeforeItsTimeComes() throws IOException {
        try (var http = Http.to(rookery.site(name, 1))) {
            var ada = Session.register(http, "ada");
            var room = ada.createRoom(Map.of());
            var due = operator.call("DELETE", "/tenants/" + name, Map.of("grace_seconds", 3_600))
                    .ok();
            assertThat(due.path("state").asString()).isEqualTo("deleting");
            assertThat(shown().path("deletion").path("due_at").asLong()).isGreaterThan(System.currentTimeMillis());
            Eventually.eventually(
                    () -> ada.call("GET", "/v3/account/whoami", null).errcode().equals("M_USER_SUSPENDED"));
            operator.call("POST", "/tenants/" + name + "/resume", Map.of()).ok();
            Eventually.eventually(
                    () -> ada.call("GET", "/v3/account/whoami", null).isOk());
            ada.say(room, "still here");
            assertThat(shown().has("deletion")).isFalse();
        }
        for (var grace : List.<Object>of(-1, "soon", 1e12)) {
            assertThat(operator.call("DELETE", "/tenants/" + name, Map.of("grace_seconds", grace))
                            .status())
                    .as("%s", grace)
                    .isEqualTo(400);
        }
    }
}
