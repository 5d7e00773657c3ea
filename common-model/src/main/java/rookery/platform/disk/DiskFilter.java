// SPDX-License-Identifier: Apache-2.0
package rookery.platform.disk;

import java.util.Set;
import java.util.regex.Pattern;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpMethod;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/**
 * Refuses writes of clients while the disk of the tables is full (contract.md 2.4). Reads go on, and so do requests that end or
 * delete something; logins too, so that users can log in to delete data.
 */
@Component
@Order(1) // behind CallerFilter, which authenticates the caller
class DiskFilter implements WebFilter {
    private static final Set<HttpMethod> FREE =
            Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS, HttpMethod.DELETE);

    /** Requests of other services and of administrators, and uploads, which have a check of their own. */
    private static final Pattern NOT_OURS =
            Pattern.compile("/internal/.*|/actuator/.*|/_api/client/v3/admin/.*|/_synapse/admin/.*"
                    + "|/_rookery/console.*|/_api/media/.*");

    private static final Pattern GOES_ON = Pattern.compile("/_api/client/v[0-9]+/(?:"
            + "login|logout|logout/all|refresh|token/refresh|delete_devices|keys/query|keys/claim|search|publicRooms"
            + "|user_directory/search|filter|user/[^/]+/filter"
            + "|account/deactivate|account/password|account/3pid/delete|account/3pid/unbind"
            + "|presence/[^/]+/status|rooms/[^/]+/typing/[^/]+"
            + "|rooms/[^/]+/(?:leave|forget|kick|ban)|rooms/[^/]+/redact/[^/]+/[^/]+)");

    private final DiskWatch disks;

    DiskFilter(DiskWatch disks) {
        this.disks = disks;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        var request = exchange.getRequest();
        return disks.isFull() && writes(request.getMethod(), request.getPath().value())
                ? Mono.error(DiskWatch::full)
                : chain.filter(exchange);
    }

    /** Whether a client's request adds stored data. */
    static boolean writes(HttpMethod method, String path) {
        return !FREE.contains(method)
                && !NOT_OURS.matcher(path).matches()
                && !GOES_ON.matcher(path).matches();
    }
}
