// SPDX-License-Identifier: Apache-2.0
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

/** Finds tenants with open registration. The running server is queried, because several settings control registration. */
final class OpenRegistration implements AutoCloseable {
    /** Authentication stages that need no credential (contract.md 3.3). */
    private static final Set<String> OPEN = Set.of("m.login.dummy", "m.login.terms");

    /** A loopback address that no user has, because the gateway limits requests by source address. */
    private static final byte[] OURS = {127, 1, (byte) 200, 1};

    private final Map<ServerName, Http> clients = new LinkedHashMap<>();

    /** Creates the clients. They must be the first of the JVM, because {@link Http} sets a property for the Host header. */
    OpenRegistration(Options options) throws IOException {
        var base = URI.create("http://%s:%d".formatted(options.host(), options.port));
        for (var name : options.serverNames()) {
            var site = new TenantAddress(base, name.value(), TenantAddress.NATIVE);
            clients.put(
                    name,
                    options.host().startsWith("[") ? Http.to(site) : Http.to(site, InetAddress.getByAddress(OURS)));
        }
    }

    /** The tenants with open registration; tenants without a response are left out. */
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
