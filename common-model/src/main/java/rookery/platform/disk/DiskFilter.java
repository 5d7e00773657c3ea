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
 * Refuses what clients would have written while the disk of the tables is full (contract.md 2.4). Reading goes on, and what ends
 * something or makes room: logins as well, since somebody has to come in to do that.
 */
@Component
@Order(1) // behind the one that lets in only whom the gateway vouches for
class DiskFilter implements WebFilter {
    private static final Set<HttpMethod> FREE =
            Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS, HttpMethod.DELETE);

    /** Of other services, and of administrators. Uploads are judged where they are taken in. */
    private static final Pattern NOT_OURS =
            Pattern.compile("/internal/.*|/actuator/.*|/_api/client/v3/admin/.*|/_api/media/.*");

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

    /** Whether a request of a client adds to what is kept. */
    static boolean writes(HttpMethod method, String path) {
        return !FREE.contains(method)
                && !NOT_OURS.matcher(path).matches()
                && !GOES_ON.matcher(path).matches();
    }
}
