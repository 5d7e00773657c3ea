package rookery.standalone;

import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import rookery.e2e.api.Http;
import rookery.e2e.api.TenantAddress;
import rookery.e2e.api.UnexpectedAnswerException;
import rookery.model.id.ServerName;
import tools.jackson.databind.JsonNode;

/** Whether strangers may make accounts. The server itself is asked, since it can be set in many places. */
final class OpenRegistration implements AutoCloseable {
    /** What anybody can do without having anything (contract.md 3.3). */
    private static final Set<String> OPEN = Set.of("m.login.dummy", "m.login.terms");

    /** Requests are counted by address: ours come from one of the loopback that nobody uses. */
    private static final byte[] OURS = {127, 1, (byte) 200, 1};

    private final Map<ServerName, Http> clients = new LinkedHashMap<>();

    /** Makes the clients: the first of a JVM, or it would not let them say which tenant they mean ({@link Http}). */
    OpenRegistration(Options options) throws IOException {
        var base = URI.create("http://%s:%d".formatted(options.host(), options.port));
        for (var name : options.serverNames()) {
            var site = new TenantAddress(base, name.value(), TenantAddress.NATIVE);
            clients.put(
                    name,
                    options.host().startsWith("[") ? Http.to(site) : Http.to(site, InetAddress.getByAddress(OURS)));
        }
    }

    /** The tenants where they may; those that do not answer are not among them. */
    List<ServerName> tenants() {
        return clients.entrySet().stream()
                .filter(client -> isOpen(client.getValue()))
                .map(Map.Entry::getKey)
                .toList();
    }

    private static boolean isOpen(Http client) {
        try {
            return isOpen(client.call("POST", "/v3/register", null, Map.of()).json());
        } catch (IOException | UnexpectedAnswerException _) {
            return false;
        }
    }

    static boolean isOpen(JsonNode answer) {
        return answer.path("flows")
                .valueStream()
                .map(flow -> flow.path("stages")
                        .valueStream()
                        .map(stage -> stage.asString(""))
                        .collect(Collectors.toSet()))
                .anyMatch(OPEN::containsAll);
    }

    @Override
    public void close() {
        clients.values().forEach(Http::close);
    }
}
