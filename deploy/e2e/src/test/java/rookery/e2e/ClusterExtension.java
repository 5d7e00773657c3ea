// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static rookery.e2e.Eventually.eventually;

import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import rookery.e2e.api.Http;
import rookery.e2e.running.Rookery;

/** The local cluster of {@link OnCluster} and {@link BreaksCluster}. */
final class ClusterExtension extends SharedRookery implements AfterAllCallback {
    static final String NAME = "cluster";

    private static final int GATEWAYS = 2;

    ClusterExtension() {
        super(NAME, plan -> plan.cluster("gateway=%d,room=2,sync=3".formatted(GATEWAYS)));
    }

    /** After a class of {@link BreaksCluster}: returns when all instances run again and both gateways reach all services. */
    @Override
    public void afterAll(ExtensionContext context) throws IOException {
        if (!context.getRequiredTestClass().isAnnotationPresent(BreaksCluster.class)) {
            return;
        }
        var rookery = running(context);
        for (String name : atStart(context)) {
            eventually(() -> rookery.runs(name, null));
        }
        for (int gateway = 1; gateway <= GATEWAYS; gateway++) {
            try (var http = Http.to(rookery.site(FIRST_TENANT, gateway))) {
                answers(http);
            }
        }
    }

    private static void answers(Http http) throws IOException {
        eventually(() -> http.call("GET", "/v3/register/available?username=" + People.name("free"), null, null)
                .isOk());
        eventually(() -> http.call("GET", "/v3/publicRooms?limit=1", null, null).isOk());
        var ada = People.newcomer(http, "mended");
        eventually(() -> ada.call("POST", "/v3/createRoom", Map.of()).isOk());
        eventually(() -> ada.call("GET", "/v3/sync", null).isOk());
        eventually(() -> ada.call("GET", "/v3/pushers", null).isOk());
    }

    /** As when somebody kills the launcher: its instances and servers notice, and end by themselves. */
    @Override
    void end(Rookery rookery) {
        rookery.killLauncher();
    }
}
