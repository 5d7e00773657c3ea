// SPDX-License-Identifier: Apache-2.0
package rookery.standalone;

import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import rookery.platform.tenant.TenantSettings;
import rookery.program.Complaint;
import tools.jackson.databind.JsonNode;

/** The commands {@code deploy/admin tenant ...} (contract.md 20). */
@Command(name = "tenant")
final class TenantCommands {
    private static final String NAME = "a server name, such as chat.example";
    private static final long SECONDS_OF_A_DAY = 86_400;
    private static final String SET = "KEY=VALUE, such as presence=false";

    private final OperatorApplication operator;

    TenantCommands(OperatorApplication operator) {
        this.operator = operator;
    }

    private JsonNode ask(String method, String path, Object body) {
        return operator.client().ask(method, path, body);
    }

    private JsonNode ask(String method, String path) {
        return operator.client().ask(method, path, null);
    }

    private static String path(String tenant) {
        return "/tenants/" + OperatorClient.part(tenant);
    }

    private static String line(JsonNode tenant) {
        var hosts = tenant.path("hosts").valueStream().map(JsonNode::asString).collect(Collectors.joining(" "));
        return "%5d  %-9s  %s  (%s)"
                .formatted(
                        tenant.path("number").asInt(),
                        tenant.path("state").asString(),
                        tenant.path("server_name").asString(),
                        hosts);
    }

    @Command(name = "list")
    void list(@Option(names = "--search", defaultValue = "") String search) {
        int after = 0;
        do {
            var page =
                    ask("GET", "/tenants?limit=1000&after=%d&search=%s".formatted(after, OperatorClient.part(search)));
            page.path("tenants").forEach(tenant -> System.out.println(line(tenant)));
            after = page.path("next").asInt(0);
        } while (after > 0);
    }

    @Command(name = "show")
    void show(@Parameters(paramLabel = NAME) String name) {
        System.out.println(ask("GET", path(name)).toPrettyString());
    }

    @Command(name = "usage")
    void usage(@Parameters(paramLabel = NAME) String name) {
        System.out.println(ask("GET", path(name) + "/usage").toPrettyString());
    }

    @Command(name = "create")
    void create(
            @Parameters(paramLabel = NAME) String name,
            @Option(names = "--host") List<String> hosts,
            @Option(names = "--set", paramLabel = SET) List<String> settings) {
        var body = new LinkedHashMap<String, Object>();
        body.put("server_name", name);
        body.put("hosts", hosts == null ? List.of() : hosts);
        body.put("settings", settings(settings == null ? List.of() : settings));
        System.out.println(line(ask("POST", "/tenants", body)));
        invite(name);
    }

    @Command(name = "invite-admin")
    void invite(@Parameters(paramLabel = NAME) String name) {
        var invitation = ask("POST", path(name) + "/first-administrator");
        System.out.println(invitation.path("registration_token").asString());
        System.err.println(
                "the registration token above is good for one administrator of %s within seven days".formatted(name));
    }

    @Command(name = "suspend")
    void suspend(@Parameters(paramLabel = NAME) String name) {
        System.out.println(line(ask("POST", path(name) + "/suspend")));
    }

    @Command(name = "resume")
    void resume(@Parameters(paramLabel = NAME) String name) {
        System.out.println(line(ask("POST", path(name) + "/resume")));
    }

    @Command(name = "delete")
    void delete(
            @Parameters(paramLabel = NAME) String name,
            @Option(names = "--grace-days", paramLabel = "DAYS") @Nullable Integer graceDays) {
        var body = graceDays == null
                ? Map.<String, Object>of()
                : Map.<String, Object>of("grace_seconds", graceDays * SECONDS_OF_A_DAY);
        System.out.println(line(ask("DELETE", path(name), body)));
        var due = Instant.ofEpochMilli(
                ask("GET", path(name)).path("deletion").path("due_at").asLong());
        System.err.println("%s is suspended, and its data are deleted from %s on; until then: tenant resume %s"
                .formatted(name, due.truncatedTo(ChronoUnit.SECONDS), name));
    }

    /** The name is written twice, since nothing can bring the data back. */
    @Command(name = "erase")
    void erase(
            @Parameters(paramLabel = NAME) String name,
            @Option(names = "--confirm", required = true, paramLabel = "the same name") String confirmed) {
        System.out.println(line(ask("POST", path(name) + "/erase", Map.of("server_name", confirmed))));
    }

    @Command(name = "export")
    void export(@Parameters(paramLabel = NAME) String name, @Parameters(paramLabel = "a folder") Path folder) {
        var client = operator.client();
        try (var files = new OperatorFiles(client)) {
            new TenantExporter(client, files, path(name), new TenantFolder(folder)).run();
        }
        System.out.println("%s is exported to %s".formatted(name, folder));
    }

    @Command(name = "import")
    void importTenant(
            @Parameters(paramLabel = "the folder of an export") Path folder,
            @Option(names = "--without-sessions") boolean withoutSessions) {
        var client = operator.client();
        var exported = new TenantFolder(folder);
        var name = exported.readManifest().path("server_name").asString();
        try (var files = new OperatorFiles(client)) {
            new TenantImporter(client, files, path(name), exported, !withoutSessions).run();
        }
        System.out.println("%s is imported and served".formatted(name));
    }

    @Command(name = "add-host")
    void addHost(@Parameters(paramLabel = NAME) String name, @Parameters(paramLabel = "a host") String host) {
        System.out.println(line(ask("PUT", path(name) + "/hosts/" + host)));
    }

    @Command(name = "remove-host")
    void removeHost(@Parameters(paramLabel = NAME) String name, @Parameters(paramLabel = "a host") String host) {
        System.out.println(line(ask("DELETE", path(name) + "/hosts/" + host)));
    }

    @Command(name = "set")
    void set(
            @Parameters(paramLabel = NAME) String name,
            @Parameters(arity = "1..*", paramLabel = SET) List<String> settings) {
        System.out.println(
                ask("PATCH", path(name) + "/settings", settings(settings)).toPrettyString());
    }

    private static Map<String, Object> settings(List<String> words) {
        var settings = new LinkedHashMap<String, Object>();
        for (var word : new ArrayList<>(words)) {
            int equals = word.indexOf('=');
            if (equals < 1) {
                throw Complaint.usage("%s is no setting: write %s".formatted(word, SET));
            }
            var value = word.substring(equals + 1);
            var key = word.substring(0, equals);
            // the server refuses an unknown setting, and names those of its release
            settings.put(
                    key,
                    TenantSettings.named(key)
                            .map(setting -> (Object) setting.parsed(value))
                            .orElse(value));
        }
        return settings;
    }
}
