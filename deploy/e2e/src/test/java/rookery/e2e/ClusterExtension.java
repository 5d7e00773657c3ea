package rookery.e2e;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import rookery.e2e.running.Plan;
import rookery.e2e.running.Rookery;

/** One local cluster of two tenants for all test classes that ask for it, stopped after the last of them. */
final class ClusterExtension implements ParameterResolver {
    static final String SECOND_TENANT = "other.example";

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Rookery.class;
    }

    @Override
    public Rookery resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getRoot()
                .getStore(ExtensionContext.Namespace.GLOBAL)
                .computeIfAbsent("cluster", _ -> start(), Rookery.class);
    }

    private static Rookery start() {
        return Rookery.start(Plan.quick("cluster").cluster("room=2,sync=2").tenants(SECOND_TENANT));
    }
}
