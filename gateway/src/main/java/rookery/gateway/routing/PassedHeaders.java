package rookery.gateway.routing;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.springframework.cloud.gateway.filter.headers.HttpHeadersFilter;
import org.springframework.http.HttpHeaders;
import org.springframework.web.server.ServerWebExchange;
import rookery.gateway.metrics.RequestMeters;
import rookery.platform.http.AccessMapping;
import rookery.platform.http.CallerSignature;
import rookery.platform.http.WholeBody;

/**
 * What of the headers passes, in both directions. Names that begin with X-Rookery- are ours: nobody outside can send one in,
 * and none gets out.
 */
final class PassedHeaders implements HttpHeadersFilter {
    private static final String OURS = "x-rookery-";
    private static final String FORWARDED = "x-forwarded-";
    private static final String CORS = "access-control-";

    private static final Set<String> HOP_BY_HOP = Set.of(
            "connection",
            "expect",
            "http2-settings",
            "keep-alive",
            "proxy-authenticate",
            "proxy-authorization",
            "proxy-connection",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade");
    /** Services know the client and the request from the caller header alone; the token stays here. */
    private static final Set<String> NOT_IN =
            Set.of("authorization", "cookie", "forwarded", "host", "x-real-ip", "x-request-id");
    /** The gateway has set these already. */
    private static final Set<String> NOT_OUT = Set.of("server", "x-request-id");

    /** What a client that does not name itself is called. */
    private static final String NOBODY = "";

    private final boolean inward;

    private PassedHeaders(boolean inward) {
        this.inward = inward;
    }

    static List<HttpHeadersFilter> bothWays() {
        return List.of(new PassedHeaders(true), new PassedHeaders(false));
    }

    @Override
    public boolean supports(Type type) {
        return inward == (type == Type.REQUEST);
    }

    @Override
    public HttpHeaders filter(HttpHeaders input, ServerWebExchange exchange) {
        String route = inward ? null : input.getFirst(AccessMapping.ROUTE_HEADER);
        if (route != null) {
            RequestMeters.route(exchange.getRequest(), route);
        }
        var named = namedByConnection(input);
        var passed = new HttpHeaders();
        input.forEach((name, values) -> {
            String lower = name.toLowerCase(Locale.ROOT);
            if (passes(lower) && !named.contains(lower)) {
                passed.addAll(name, values);
            }
        });
        if (inward) {
            var forward = ForwardedRequest.required(exchange);
            passed.set(CallerSignature.HEADER, forward.callerHeader());
            if (!passed.containsHeader(HttpHeaders.USER_AGENT)) {
                passed.set(HttpHeaders.USER_AGENT, NOBODY); // or the HTTP client would name itself
            }
            if (forward.bodyTooLarge()) {
                passed.set(WholeBody.TOO_LARGE_HEADER, "true");
            }
        }
        return passed;
    }

    private boolean passes(String name) {
        if (HOP_BY_HOP.contains(name) || name.startsWith(OURS)) {
            return false;
        }
        return inward
                ? !NOT_IN.contains(name) && !name.startsWith(FORWARDED)
                : !NOT_OUT.contains(name) && !name.startsWith(CORS);
    }

    /** Further headers that Connection says end here. A client may name any, so it cannot name ours away: they are set after. */
    private static Set<String> namedByConnection(HttpHeaders headers) {
        String connection = headers.getFirst(HttpHeaders.CONNECTION);
        if (connection == null || connection.indexOf(',') < 0) {
            return connection == null ? Set.of() : Set.of(connection.strip().toLowerCase(Locale.ROOT));
        }
        var named = new HashSet<String>();
        for (String name : connection.split(",", -1)) {
            named.add(name.strip().toLowerCase(Locale.ROOT));
        }
        return named;
    }
}
