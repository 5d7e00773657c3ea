// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.ClassPathScanningCandidateComponentProvider;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.type.filter.AnnotationTypeFilter;
import org.springframework.http.HttpMethod;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import rookery.e2e.api.Http;
import rookery.e2e.api.TenantAddress;
import rookery.e2e.running.Rookery;
import rookery.platform.http.ServiceAccess;
import rookery.platform.http.ServiceCredential;
import rookery.platform.http.ServiceKeys;
import rookery.platform.http.ServiceName;

/** Every route between services lets in the services that it declares, and no other one (design.md 12). */
@OnOneJvm
class InternalRoutesE2E {
    private static final int ROUTES_MIN = 40;
    private static final Set<ServiceName> WITH_LOGS = EnumSet.of(ServiceName.AUTH, ServiceName.ROOM);
    private static final Set<ServiceName> WITH_TENANTS_DATA =
            EnumSet.of(ServiceName.AUTH, ServiceName.ROOM, ServiceName.SYNC, ServiceName.DIRECTORY, ServiceName.PUSH);

    private final Rookery rookery;

    InternalRoutesE2E(Rookery rookery) {
        this.rookery = rookery;
    }

    @Test
    void noServiceGetsInWhereItIsNotDeclared() throws IOException {
        var routes = routes();
        assertThat(routes).hasSizeGreaterThan(ROUTES_MIN);
        for (var route : routes) {
            assertThat(route.declared).as("%s declares who may call it", route).isNotEmpty();
            for (var caller : EnumSet.complementOf(EnumSet.copyOf(route.declared))) {
                // for a client of the gateway the path does not exist
                assertThat(status(route, caller, route.method, route.path))
                        .as("%s asked by %s", route, caller)
                        .isEqualTo(route.service == ServiceName.GATEWAY ? 404 : 403);
            }
        }
    }

    @Test
    void everyArrowIsSomeRoutes() {
        for (var callee : ServiceName.values()) {
            var drawn = EnumSet.noneOf(ServiceName.class);
            for (var caller : ServiceName.values()) {
                if (caller.calls().contains(callee)) {
                    drawn.add(caller);
                }
            }
            var declared = EnumSet.noneOf(ServiceName.class);
            for (var route : routes()) {
                if (route.service == callee) {
                    declared.addAll(route.declared);
                }
            }
            // the gateway brings clients everywhere, the launcher asks all whether they are ready, and so do instances
            // each other
            drawn.removeAll(EnumSet.of(ServiceName.GATEWAY, ServiceName.OPERATOR, callee));
            declared.removeAll(EnumSet.of(ServiceName.GATEWAY, ServiceName.OPERATOR));
            assertThat(declared).as("who calls %s", callee).isEqualTo(drawn);
        }
    }

    @Test
    void whatWasSignedForOneRouteOpensNoOther() throws IOException {
        var stats = new Route(ServiceName.ROOM, HttpMethod.GET, "/internal/stats", Set.of(ServiceName.ADMIN));
        assertThat(status(stats, ServiceName.ADMIN, HttpMethod.GET, "/internal/stats"))
                .isNotEqualTo(403);
        assertThat(status(stats, ServiceName.ADMIN, HttpMethod.POST, "/internal/stats"))
                .isEqualTo(403);
        assertThat(status(stats, ServiceName.ADMIN, HttpMethod.GET, "/internal/ready"))
                .isEqualTo(403);
    }

    /** What the first instance answers to a credential that was signed for this method and path. */
    private int status(Route route, ServiceName caller, HttpMethod signedMethod, String signedPath) throws IOException {
        var node = Objects.requireNonNull(rookery.instance(route.service.title() + "-1"));
        var headers = Map.of(
                ServiceCredential.HEADER,
                credential(route.service, caller, signedMethod, signedPath),
                "Content-Type",
                "application/json");
        try (var http = Http.to(TenantAddress.at(URI.create("http://" + node.address()), ""))) {
            return http.raw(route.method.name(), route.path, headers, route.method.equals(HttpMethod.GET) ? "" : "{}")
                    .status();
        }
    }

    /** Signed with the key of the arrow, or, for a caller without an arrow to the callee, of another arrow. */
    private String credential(ServiceName callee, ServiceName caller, HttpMethod method, String path) {
        var calls = caller.calls();
        var signedFor = calls.contains(callee) ? callee : calls.iterator().next();
        return new ServiceCredential(ServiceKeys.derived(caller, rookery.internalKey()), Clock.systemUTC())
                .sign(signedFor.title(), method, path);
    }

    /** As the handlers of all services say; those of logs are no methods. */
    private static List<Route> routes() {
        var routes = new ArrayList<Route>();
        var scanner = new ClassPathScanningCandidateComponentProvider(false);
        scanner.addIncludeFilter(new AnnotationTypeFilter(RestController.class));
        for (var service : EnumSet.complementOf(EnumSet.of(ServiceName.OPERATOR))) {
            scanner.findCandidateComponents("rookery." + service.name().toLowerCase(Locale.ROOT))
                    .forEach(bean -> add(routes, service, Objects.requireNonNull(bean.getBeanClassName())));
        }
        for (var service : WITH_TENANTS_DATA) {
            for (var common :
                    List.of("rookery.platform.transfer", "rookery.platform.erasure", "rookery.platform.person")) {
                scanner.findCandidateComponents(common)
                        .forEach(bean -> add(routes, service, Objects.requireNonNull(bean.getBeanClassName())));
            }
        }
        for (var service : WITH_LOGS) {
            var followers = EnumSet.of(ServiceName.SYNC, ServiceName.DIRECTORY, ServiceName.PUSH);
            if (service == ServiceName.AUTH) {
                followers.add(ServiceName.ROOM);
            }
            for (var path : List.of("/internal/log/heads", "/internal/log/3", "/%69nternal/log/heads")) {
                routes.add(new Route(service, HttpMethod.GET, path, followers));
            }
        }
        return routes;
    }

    private static void add(List<Route> routes, ServiceName service, String name) {
        Class<?> type;
        try {
            type = Class.forName(name);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
        for (var method : type.getDeclaredMethods()) {
            var mapping = AnnotatedElementUtils.findMergedAnnotation(method, RequestMapping.class);
            var paths = mapping == null ? List.<String>of() : List.of(mapping.path());
            for (var path : new TreeSet<>(paths)) {
                if (path.startsWith("/internal/")) {
                    var verb = HttpMethod.valueOf(
                            Objects.requireNonNull(mapping).method()[0].name());
                    routes.add(new Route(
                            service, verb, path.replaceAll("\\{[^}]*}", "x"), ServiceAccess.declared(method, type)));
                }
            }
        }
    }

    private record Route(ServiceName service, HttpMethod method, String path, Set<ServiceName> declared) {}
}
