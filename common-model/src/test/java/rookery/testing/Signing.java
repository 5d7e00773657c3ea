// SPDX-License-Identifier: Apache-2.0
package rookery.testing;

import java.time.Clock;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpMethod;
import org.springframework.http.server.PathContainer;
import rookery.model.caller.Caller;
import rookery.platform.http.AccessMapping;
import rookery.platform.http.CallerSignature;
import rookery.platform.http.KeyDerivation;
import rookery.platform.http.ServiceAccess;
import rookery.platform.http.ServiceCredential;
import rookery.platform.http.ServiceKeys;
import rookery.platform.http.ServiceName;

/** Signs requests as the gateway and the other services do, with their keys. */
public final class Signing {
    /** The master secret of all keys in tests. */
    public static final String MASTER = "a secret that is only used in tests";

    /** Derivation takes longer than most requests of a test. */
    private static final Map<ServiceName, ServiceKeys> KEYS = new ConcurrentHashMap<>();

    private final ServiceName callee;
    private final Clock clock;

    public Signing(ServiceName callee) {
        this(callee, Clock.systemUTC());
    }

    public Signing(ServiceName callee, Clock clock) {
        this.callee = callee;
        this.clock = clock;
    }

    /** The property with the keys of a service under test. */
    public static String keysOf(ServiceName service) {
        return "--rookery.internal.keys=" + String.join(",", KeyDerivation.keysOf(service, MASTER));
    }

    /** The gateway's header for a request of this caller; the path may have a query. */
    public String caller(Caller caller, String method, String path) {
        return new CallerSignature(keys(ServiceName.GATEWAY), clock)
                .sign(caller, callee.title(), HttpMethod.valueOf(method), withoutQuery(path));
    }

    /** A service's header for a request; the path may have a query. */
    public String credential(ServiceName from, String method, String path) {
        return new ServiceCredential(keys(from), clock)
                .sign(callee.title(), HttpMethod.valueOf(method), withoutQuery(path));
    }

    /** The header of a service that may make this request, according to the handler's annotation; sync-service for logs. */
    public String credential(AccessMapping handlers, String method, String path) {
        var parsed = PathContainer.parsePath(withoutQuery(path));
        var callers = handlers.getHandlerMethods().entrySet().stream()
                .filter(each -> each.getKey().getMethodsCondition().getMethods().stream()
                        .anyMatch(one -> one.name().equals(method)))
                .flatMap(each -> each.getKey().getPatternsCondition().getPatterns().stream()
                        .filter(pattern -> pattern.matches(parsed))
                        .map(pattern -> Map.entry(pattern, each.getValue())))
                .min(Map.Entry.comparingByKey())
                .map(each -> ServiceAccess.declared(
                        each.getValue().getMethod(), each.getValue().getBeanType()))
                .orElse(Set.of());
        return credential(callers.stream().sorted().findFirst().orElse(ServiceName.SYNC), method, path);
    }

    /** The caller of a gateway's header at this service, or null. */
    public @Nullable Caller read(String header, String method, String path) {
        return new CallerSignature(keys(callee), clock)
                .verified(header, HttpMethod.valueOf(method), withoutQuery(path));
    }

    /** The service of a credential at this service, or null. */
    public @Nullable ServiceName readCredential(String header, String method, String path) {
        return new ServiceCredential(keys(callee), clock)
                .verified(header, HttpMethod.valueOf(method), withoutQuery(path));
    }

    private static ServiceKeys keys(ServiceName service) {
        return KEYS.computeIfAbsent(service, own -> ServiceKeys.derived(own, MASTER));
    }

    private static String withoutQuery(String path) {
        int query = path.indexOf('?');
        return query < 0 ? path : path.substring(0, query);
    }
}
