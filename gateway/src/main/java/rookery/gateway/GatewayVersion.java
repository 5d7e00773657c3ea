package rookery.gateway;

import java.util.Objects;

/** The version of this build, from its jar; builds that run from a folder have none. */
public final class GatewayVersion {
    public static final String TEXT =
            Objects.requireNonNullElse(GatewayVersion.class.getPackage().getImplementationVersion(), "0.0.0");

    private GatewayVersion() {}
}
