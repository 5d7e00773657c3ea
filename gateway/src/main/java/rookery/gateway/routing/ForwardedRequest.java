// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.routing;

import java.net.URI;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.web.server.ServerWebExchange;
import rookery.gateway.routing.Destination.Kind;
import rookery.gateway.routing.Destination.Service;
import rookery.model.caller.Caller;
import rookery.platform.instance.Instance;

/**
 * A request to be forwarded to a service; an attribute of its exchange.
 *
 * @param to the service, with the path in the client's encoding
 * @param instances the name of the candidate instances, such as {@code room-service}
 * @param key selects the instance
 * @param query with the client's encoding, or null
 * @param bodyTooLarge whether the request had a too large body, which is not forwarded; a header informs the service
 * @param caller creates the caller when forwarding, because a signature may expire before a long poll ends
 */
public record ForwardedRequest(
        Service to,
        String instances,
        String key,
        @Nullable String query,
        boolean bodyTooLarge,
        Supplier<Caller> caller) {
    private static final String ATTRIBUTE = ForwardedRequest.class.getName();

    public void attachTo(ServerWebExchange exchange) {
        exchange.getAttributes().put(ATTRIBUTE, this);
    }

    /** Whether the exchange has a forwarded request of one of these kinds. */
    static boolean isIn(ServerWebExchange exchange, Set<Kind> kinds) {
        ForwardedRequest forward = exchange.getAttribute(ATTRIBUTE);
        return forward != null && kinds.contains(forward.to.kind());
    }

    static ForwardedRequest required(ServerWebExchange exchange) {
        return exchange.getRequiredAttribute(ATTRIBUTE);
    }

    /** The path as the service reads it: characters outside of ASCII are encoded when sent. */
    String sentPath() {
        String path = to.path();
        return path.chars().allMatch(character -> character < 0x80)
                ? path
                : URI.create("http://service" + path).toASCIIString().substring("http://service".length());
    }

    URI at(Instance instance) {
        return URI.create("http://" + instance.address() + to.path() + (query == null ? "" : "?" + query));
    }
}
