// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.routing;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.cloud.gateway.filter.headers.HttpHeadersFilter;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpRequest;
import org.springframework.web.server.ServerWebExchange;
import rookery.gateway.metrics.RequestMeters;
import rookery.platform.http.AccessMapping;
import rookery.platform.http.CallerSignature;
import rookery.platform.http.WholeBody;

/**
 * Filters headers in both directions. Names with the prefix X-Rookery- are internal: such headers of clients are dropped, and
 * such headers of services do not reach clients.
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
    /**
     * Services learn about the client and the request only from the caller header; the token stays in the gateway. The console gets
     * the cookies and the host.
     */
    private static final Set<String> NOT_IN =
            Set.of("authorization", "cookie", "forwarded", "host", "x-real-ip", "x-request-id");
    /** The gateway has already set these headers. */
    private static final Set<String> NOT_OUT = Set.of("server", "x-request-id");

    /** The User-Agent for services if the client sends none. */
    private static final String NOBODY = "";

    private final boolean inward;
    private final CallerSignature signature;

    private PassedHeaders(boolean inward, CallerSignature signature) {
        this.inward = inward;
        this.signature = signature;
    }

    static List<HttpHeadersFilter> bothWays(CallerSignature signature) {
        return List.of(new PassedHeaders(true, signature), new PassedHeaders(false, signature));
    }

    @Override
    public boolean supports(Type type) {
        return inward == (type == Type.REQUEST);
    }

    @Override
    public HttpHeaders filter(HttpHeaders input, ServerWebExchange exchange) {
        if (!inward) {
            return toClient(input, exchange.getRequest());
        }
        var forward = ForwardedRequest.required(exchange);
        var passed = toService(input, forward);
        var method = exchange.getRequest().getMethod();
        passed.set(
                CallerSignature.HEADER,
                signature.sign(forward.caller().get(), forward.to().service(), method, forward.sentPath()));
        return passed;
    }

    /** The headers for the service, without the signed caller. */
    static HttpHeaders toService(HttpHeaders input, ForwardedRequest forward) {
        var passed = passed(input, true);
        if (forward.to().isConsole()) {
            passed.addAll(HttpHeaders.COOKIE, input.getOrDefault(HttpHeaders.COOKIE, List.of()));
            passed.addAll(CallerSignature.HOST_HEADER, input.getOrDefault(HttpHeaders.HOST, List.of()));
        }
        if (!passed.containsHeader(HttpHeaders.USER_AGENT)) {
            passed.set(HttpHeaders.USER_AGENT, NOBODY); // otherwise the HTTP client would set its own name
        }
        if (forward.bodyTooLarge()) {
            passed.set(WholeBody.TOO_LARGE_HEADER, "true");
        }
        return passed;
    }

    /** The headers for the client; notes the route of the service's answer. */
    static HttpHeaders toClient(HttpHeaders input, HttpRequest request) {
        String route = input.getFirst(AccessMapping.ROUTE_HEADER);
        if (route != null) {
            RequestMeters.route(request, route);
        }
        return passed(input, false);
    }

    private static HttpHeaders passed(HttpHeaders input, boolean inward) {
        var named = namedByConnection(input);
        var passed = new HttpHeaders();
        input.forEach((name, values) -> {
            String lower = name.toLowerCase(Locale.ROOT);
            if (passes(lower, inward) && !named.contains(lower)) {
                passed.addAll(name, values);
            }
        });
        return passed;
    }

    private static boolean passes(String name, boolean inward) {
        if (HOP_BY_HOP.contains(name) || name.startsWith(OURS)) {
            return false;
        }
        return inward
                ? !NOT_IN.contains(name) && !name.startsWith(FORWARDED)
                : !NOT_OUT.contains(name) && !name.startsWith(CORS);
    }

    /**
     * Headers listed in Connection are hop-by-hop. Internal headers cannot be removed this way, because the gateway sets
     * them afterwards.
     */
    private static Set<String> namedByConnection(HttpHeaders headers) {
        String connection = headers.getFirst(HttpHeaders.CONNECTION);
        return connection == null
                ? Set.of()
                : Arrays.stream(connection.split(",", -1))
                        .map(name -> name.strip().toLowerCase(Locale.ROOT))
                        .collect(Collectors.toSet());
    }
}
