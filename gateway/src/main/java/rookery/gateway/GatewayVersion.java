package rookery.gateway;

import java.util.Objects;

/** The version of this build from the jar's manifest; 0.0.0 when running from class folders. */
public final class GatewayVersion {
    public static final String TEXT =
            Objects.requireNonNullElse(GatewayVersion.class.getPackage().getImplementationVersion(), "0.0.0");

    private GatewayVersion() {}
}
