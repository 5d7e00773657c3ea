// SPDX-License-Identifier: Apache-2.0
package rookery.admin.console;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.admin.console.OperatorConsole.Visit;
import rookery.admin.metrics.MetricsCollector;
import rookery.platform.tenant.TenantSettings;
import tools.jackson.databind.JsonNode;

/** The pages and acts of the console of operators. */
@Component
class OperatorPages {
    private static final String OPERATORS = ConsoleCookie.PATH + "/operators";
    private static final int JOBS_MAX = 100;

    private final MetricsCollector metrics;
    private final Pages pages;

    OperatorPages(MetricsCollector metrics, Pages pages) {
        this.metrics = metrics;
        this.pages = pages;
    }

    Mono<ServerResponse> tenants(Visit visit) {
        var search = visit.request().queryParam("search").orElse("");
        var after = visit.request().queryParam("after").orElse("0");
        var path = "/tenants?limit=" + ListPage.ROWS + "&search=" + PageTexts.INSTANCE.query(search) + "&after="
                + PageTexts.INSTANCE.query(after);
        return visit.get(path)
                .flatMap(found ->
                        page(visit, "tenants", Map.of("list", ListPage.as(found, TenantList.class), "search", search)));
    }

    Mono<ServerResponse> create(Visit visit) {
        var name = visit.form().text("server_name");
        return visit.call(HttpMethod.POST, "/tenants", Map.of("server_name", name))
                .then(Mono.defer(() -> visit.call(HttpMethod.POST, path(name) + "/first-administrator", Map.of())))
                .flatMap(invited -> invited(visit, name, invited));
    }

    private Mono<ServerResponse> invited(Visit visit, String name, JsonNode invited) {
        return page(
                visit,
                "tenant-invited",
                Map.of("name", name, "token", invited.path("registration_token").asString("")));
    }

    Mono<ServerResponse> tenant(Visit visit) {
        var name = visit.request().pathVariable("tenant");
        return visit.get(path(name)).flatMap(found -> {
            var tenant = ListPage.as(found, Tenant.class);
            var usage = tenant.state.equals("active") || tenant.state.equals("suspended")
                    ? visit.get(path(name) + "/usage").map(OperatorPages::flat).onErrorReturn(Map.of())
                    : Mono.just(Map.<String, String>of());
            return usage.flatMap(
                    used -> page(visit, "tenant", Map.of("tenant", tenant, "usage", used, "all", TenantSettings.ALL)));
        });
    }

    /** The numbers of a usage by their path, such as {@code rooms.rooms.total}. */
    private static Map<String, String> flat(JsonNode usage) {
        var numbers = new LinkedHashMap<String, String>();
        flatten("", usage, numbers);
        numbers.remove("at");
        return numbers;
    }

    private static void flatten(String path, JsonNode node, Map<String, String> into) {
        if (node.isObject()) {
            node.properties()
                    .forEach(entry -> flatten(
                            path.isEmpty() ? entry.getKey() : path + " " + entry.getKey(), entry.getValue(), into));
        } else if (node.isNumber()) {
            into.put(path, PageTexts.INSTANCE.number(node.longValue()));
        }
    }

    /** The page that explains an act on a tenant, with the form of the act. */
    Mono<ServerResponse> ask(Visit visit) {
        var act = visit.request().pathVariable("act");
        if (!Set.of("suspend", "delete", "erase").contains(act)) {
            throw Pages.unknown();
        }
        return visit.get(path(visit.request().pathVariable("tenant")))
                .flatMap(found ->
                        page(visit, "tenant-act", Map.of("tenant", ListPage.as(found, Tenant.class), "act", act)));
    }

    Mono<ServerResponse> act(Visit visit) {
        var name = visit.request().pathVariable("tenant");
        var form = visit.form();
        var at = path(name);
        return switch (visit.request().pathVariable("act")) {
            case "suspend", "resume" ->
                done(visit.call(HttpMethod.POST, at + "/" + visit.request().pathVariable("act"), Map.of()), name);
            case "settings" -> done(visit.call(HttpMethod.PATCH, at + "/settings", settings(form)), name);
            case "add-host" -> done(visit.call(HttpMethod.PUT, host(at, form), Map.of()), name);
            case "remove-host" -> done(visit.call(HttpMethod.DELETE, host(at, form), Map.of()), name);
            case "delete" -> {
                var grace = Duration.ofDays(form.number("days")).toSeconds();
                yield done(visit.call(HttpMethod.DELETE, at, Map.of("grace_seconds", grace)), name);
            }
            case "erase" -> {
                var body = Map.of("server_name", form.text("server_name"));
                yield done(visit.call(HttpMethod.POST, at + "/erase", body), name);
            }
            case "invite" ->
                visit.call(HttpMethod.POST, at + "/first-administrator", Map.of())
                        .flatMap(invited -> invited(visit, name, invited));
            default -> throw Pages.unknown();
        };
    }

    private static Mono<ServerResponse> done(Mono<JsonNode> act, String name) {
        return act.then(Mono.defer(() -> OperatorConsole.to(PageTexts.INSTANCE.path("tenants", name) + "?done=saved")));
    }

    /** Empty fields stand for the installation's configuration. */
    private static Map<String, Object> settings(Form form) {
        var settings = new HashMap<String, Object>();
        TenantSettings.ALL.stream()
                .filter(setting -> form.fields().containsKey(setting.name()))
                .forEach(setting -> settings.put(setting.name(), setting.parsed(form.text(setting.name()))));
        return settings;
    }

    Mono<ServerResponse> operators(Visit visit) {
        return visit.get("/operators")
                .flatMap(found -> page(visit, "operators", Map.of("list", ListPage.as(found, OperatorList.class))));
    }

    Mono<ServerResponse> makeOperator(Visit visit) {
        var name = visit.form().text("name");
        var scopes = visit.form().isChecked("writes") ? List.of("read", "write") : List.of("read");
        return visit.call(HttpMethod.POST, "/operators", Map.of("name", name, "scopes", scopes))
                .flatMap(made -> page(
                        visit,
                        "operator-made",
                        Map.of("name", name, "token", made.path("token").asString(""))));
    }

    Mono<ServerResponse> revokeOperator(Visit visit) {
        var name = visit.request().pathVariable("name");
        return visit.call(HttpMethod.DELETE, "/operators/" + PageTexts.INSTANCE.query(name), Map.of())
                .then(Mono.defer(() -> OperatorConsole.to(OPERATORS + "?done=revoked")));
    }

    /** The token is checked by a call of the API; the metrics are those of the page for Prometheus. */
    Mono<ServerResponse> health(Visit visit) {
        return visit.get("/tenants?limit=1")
                .then(Mono.defer(() -> Mono.zip(metrics.page(), gateways(visit))
                        .flatMap(found -> page(
                                visit,
                                "health",
                                Map.of("health", InstallationHealth.of(found.getT1()), "pushes", found.getT2())))));
    }

    /** Without counts while push-service does not count. */
    private static Mono<PushGateways> gateways(Visit visit) {
        return visit.get("/push-gateways")
                .map(found -> ListPage.as(found, PushGateways.class))
                .onErrorReturn(new PushGateways(null));
    }

    /** What the installation does for a long time: tenants that are imported or deleted. */
    Mono<ServerResponse> jobs(Visit visit) {
        return Flux.just("importing", "deleting", "erasing")
                .concatMap(state -> visit.get("/tenants?limit=1000&state=" + state))
                .concatMapIterable(found -> ListPage.as(found, TenantList.class).tenants)
                .take(JOBS_MAX)
                .concatMap(listed -> visit.get("/tenants/" + listed.number))
                .map(found -> ListPage.as(found, Tenant.class))
                .collectList()
                .flatMap(tenants -> page(visit, "jobs", Map.of("tenants", tenants)));
    }

    private Mono<ServerResponse> page(Visit visit, String template, Map<String, ?> model) {
        var all = new HashMap<String, Object>(model);
        all.put("formToken", visit.formToken());
        return OperatorConsole.html(pages, visit.request(), HttpStatus.OK, template, all);
    }

    private static String path(String name) {
        return "/tenants/" + PageTexts.INSTANCE.query(name);
    }

    private static String host(String at, Form form) {
        return at + "/hosts/" + PageTexts.INSTANCE.query(form.text("host"));
    }

    /** The push gateways with pushes in the last hour. */
    record PushGateways(@Nullable List<PushCounts> gateways) {}

    /** Numbers of pushes to a push gateway by their outcome. */
    record PushCounts(String gateway, long waiting, long delivered, long rejected, long failed) {}

    /** A page of tenants. */
    record TenantList(List<Tenant> tenants, @Nullable Integer next) {}

    /** A tenant (contract.md 20). */
    record Tenant(
            int number,
            @JsonProperty("server_name") String serverName,
            String state,
            List<String> hosts,
            TenantSettings settings,
            @Nullable Deletion deletion) {
        /** A setting by its name; empty for one that is the installation's. */
        public String value(String setting) {
            return PageTexts.INSTANCE.settings(settings).getOrDefault(setting, "");
        }
    }

    /** How far a deletion is. */
    record Deletion(
            @JsonProperty("due_at") @Nullable Long dueAt,
            @Nullable Long deleted,
            @Nullable String service,
            @JsonProperty("done_at") @Nullable Long doneAt) {}

    /** The operators beside root. */
    record OperatorList(List<ListedOperator> operators) {}

    /** An operator. */
    record ListedOperator(
            String name,
            List<String> scopes,
            @JsonProperty("created_at") @Nullable Long createdAt,
            @JsonProperty("created_by") @Nullable String createdBy) {}
}
