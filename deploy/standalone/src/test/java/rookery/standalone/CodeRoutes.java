// SPDX-License-Identifier: Apache-2.0
package rookery.standalone;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.ClassPathScanningCandidateComponentProvider;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.type.filter.AnnotationTypeFilter;
import org.springframework.core.type.filter.AssignableTypeFilter;
import org.springframework.core.type.filter.TypeFilter;
import org.springframework.http.server.PathContainer;
import org.springframework.objenesis.SpringObjenesis;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;
import rookery.platform.http.Access;
import rookery.platform.http.Access.Level;

/** The routes of the code for clients and operators, without those between services and without the pages of the console. */
final class CodeRoutes {
    static final String OPERATORS = "operators";

    /** Its pages are for people (contract.md 5.8). */
    private static final String CONSOLE = "rookery.admin.console";

    private static final String GATEWAY = Service.GATEWAY.title();
    /** How a router function shows a route of one method. */
    private static final Pattern ROUTE = Pattern.compile("\\((GET|POST|PUT|PATCH|DELETE) && (/[^)\\s]+)\\)");

    /**
     * A route.
     *
     * @param service such as {@code room-service}, or {@link #OPERATORS}
     * @param access null for the routes of operators and of the gateway, which have no annotation
     */
    record Route(
            String service,
            String method,
            PathPattern path,
            @Nullable Level access) {
        @Override
        public String toString() {
            return method + " " + path;
        }
    }

    private final List<Route> routes = new ArrayList<>();

    CodeRoutes() throws ReflectiveOperationException {
        for (var service : Service.values()) {
            for (var type : types("rookery." + service.shortTitle(), new AnnotationTypeFilter(RestController.class))) {
                addHandlers(service.title(), type);
            }
        }
        var operators = Class.forName("rookery.admin.tenant.OperatorRoutes");
        for (var type : types("rookery.admin", new AssignableTypeFilter(operators))) {
            addOperators(type);
        }
    }

    List<Route> all() {
        return List.copyOf(routes);
    }

    /** The route that Spring would choose; null without any. */
    @Nullable
    Route find(String service, String method, String path) {
        var container = PathContainer.parsePath(path);
        return routes.stream()
                .filter(route ->
                        route.service.equals(service) && route.method.equals(method) && route.path.matches(container))
                .min((one, other) -> PathPattern.SPECIFICITY_COMPARATOR.compare(one.path, other.path))
                .orElse(null);
    }

    private static List<Class<?>> types(String root, TypeFilter filter) throws ClassNotFoundException {
        var scanner = new ClassPathScanningCandidateComponentProvider(false);
        scanner.addIncludeFilter(filter);
        var types = new ArrayList<Class<?>>();
        for (var bean : scanner.findCandidateComponents(root)) {
            var type = Class.forName(bean.getBeanClassName());
            if (!type.getPackageName().equals(CONSOLE)) {
                types.add(type);
            }
        }
        return types;
    }

    private void addHandlers(String service, Class<?> type) {
        var onType = AnnotatedElementUtils.findMergedAnnotation(type, RequestMapping.class);
        var root = onType == null || onType.path().length == 0 ? "" : onType.path()[0];
        for (var method : type.getDeclaredMethods()) {
            var mapping = AnnotatedElementUtils.findMergedAnnotation(method, RequestMapping.class);
            if (mapping == null) {
                continue;
            }
            var paths = mapping.path().length == 0 ? new String[] {""} : mapping.path();
            for (var path : paths) {
                var access = AnnotatedElementUtils.findMergedAnnotation(method, Access.class);
                add(
                        service,
                        mapping.method()[0].name(),
                        root + path,
                        access == null ? AnnotatedElementUtils.findMergedAnnotation(type, Access.class) : access);
            }
        }
    }

    private void add(String service, String method, String path, @Nullable Access access) {
        // a slash at the end is another spelling, and the gateway's own paths have both prefixes
        var whole = path.length() > 1 && path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
        boolean isSpelledAgain = routes.stream()
                .anyMatch(route -> route.method.equals(method)
                        && route.path.getPatternString().equals(whole)
                        && !whole.equals(path));
        if (whole.startsWith("/internal/") || whole.startsWith("/_matrix/client/") || isSpelledAgain) {
            return;
        }
        var level = access != null ? access.value() : whole.contains("/admin/") ? Level.ADMIN : Level.REQUIRED;
        routes.add(new Route(
                service,
                method,
                PathPatternParser.defaultInstance.parse(whole),
                service.equals(GATEWAY) ? null : level));
    }

    /** Neither the constructors nor the handlers run: the routes do not depend on other beans. */
    private void addOperators(Class<?> type) throws ReflectiveOperationException {
        var routesOf = type.getDeclaredMethod("routes");
        routesOf.setAccessible(true);
        var bean = new SpringObjenesis().newInstance(type, false);
        var matcher =
                ROUTE.matcher(Objects.requireNonNull(routesOf.invoke(bean)).toString());
        while (matcher.find()) {
            routes.add(new Route(
                    OPERATORS, matcher.group(1), PathPatternParser.defaultInstance.parse(matcher.group(2)), null));
        }
    }
}
