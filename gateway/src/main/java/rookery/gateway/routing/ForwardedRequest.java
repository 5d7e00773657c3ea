// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.routing;

import java.net.URI;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.web.server.ServerWebExchange;
import rookery.gateway.routing.Destination.Kind;
import rookery.platform.instance.Instance;

/**
 * A request to be forwarded to a service; an attribute of its exchange.
 *
 * @param instances the name of the candidate instances, such as {@code room-service}
 * @param key selects the instance
 * @param path with the client's encoding
 * @param query with the client's encoding, or null
 * @param kind of the path
 * @param bodyTooLarge whether the request had a too large body, which is not forwarded; a header informs the service
 * @param caller creates the signed caller header when forwarding, because a signature may expire before a long poll ends
 */
public record ForwardedRequest(
        String instances,
        String key,
        String path,
        @Nullable String query,
        Kind kind,
        boolean bodyTooLarge,
        Function<ForwardedRequest, String> caller) {
    private static final String ATTRIBUTE = ForwardedRequest.class.getName();

    public void attachTo(ServerWebExchange exchange) {
        exchange.getAttributes().put(ATTRIBUTE, this);
    }

    /** Whether the exchange has a forwarded request of one of these kinds. */
    static boolean isIn(ServerWebExchange exchange, Set<Kind> kinds) {
        ForwardedRequest forward = exchange.getAttribute(ATTRIBUTE);
        return forward != null && kinds.contains(forward.kind);
    }

    static ForwardedRequest required(ServerWebExchange exchange) {
        return exchange.getRequiredAttribute(ATTRIBUTE);
    }

    /** The path as the service reads it: characters outside of ASCII are encoded when sent. */
    public String sentPath() {
        return path.chars().allMatch(character -> character < 0x80)
                ? path
                : URI.create("http://service" + path).toASCIIString().substring("http://service".length());
    }

    /** The signed caller header. */
    String callerHeader() {
        return caller.apply(this);
    }

    URI at(Instance instance) {
        return URI.create("http://" + instance.address() + path + (query == null ? "" : "?" + query));
    }
}
