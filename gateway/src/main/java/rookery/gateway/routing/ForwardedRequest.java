package rookery.gateway.routing;

import java.net.URI;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.web.server.ServerWebExchange;
import rookery.gateway.routing.Destination.Kind;
import rookery.platform.instance.Instance;

/**
 * A request on its way to a service; an attribute of its exchange.
 *
 * @param instances the name of those that may be asked, such as {@code room-service}
 * @param key what decides the instance
 * @param path with the encoding it came with
 * @param query with the encoding it came with, or null
 * @param kind of its path
 * @param bodyTooLarge whether it came with a body that is not sent on, which the service is told
 * @param caller makes the header that tells the service who is asking, signed at that moment: a signature ends before a long poll may
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

    /** Whether the exchange holds a request on its way, of one of those kinds. */
    static boolean isIn(ServerWebExchange exchange, Set<Kind> kinds) {
        ForwardedRequest forward = exchange.getAttribute(ATTRIBUTE);
        return forward != null && kinds.contains(forward.kind);
    }

    static ForwardedRequest required(ServerWebExchange exchange) {
        return exchange.getRequiredAttribute(ATTRIBUTE);
    }

    /** The path as the service will read it: what is not ASCII is encoded on the way. */
    public String sentPath() {
        return path.chars().allMatch(character -> character < 0x80)
                ? path
                : URI.create("http://service" + path).toASCIIString().substring("http://service".length());
    }

    /** The header that tells the service who is asking. */
    String callerHeader() {
        return caller.apply(this);
    }

    URI at(Instance instance) {
        return URI.create("http://" + instance.address() + path + (query == null ? "" : "?" + query));
    }
}
