// SPDX-License-Identifier: Apache-2.0
package rookery.admin;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import rookery.model.caller.Caller.Anonymous;
import rookery.model.caller.Caller.Identity;
import rookery.model.caller.Caller.Known;
import rookery.model.caller.Caller.Reason;
import rookery.model.id.DeviceId;
import rookery.model.id.UserId;

/** Every route of administration refuses users who are not administrators, including routes added later (contract.md 2.2, 5). */
class GateIT {
    private static final String PREFIX = "/_api/client";
    private static final Identity ADA = new Known(new UserId("@ada:tenant1.example"), new DeviceId("D"), false);
    private static final Identity NOBODY = new Anonymous(Reason.MISSING);
    /** The version of the server, which tools request before a login. */
    private static final String OPEN = " /_synapse/admin/v1/server_version";

    private static final int ROUTES_MIN = 24;

    private static RunningAdmin server;

    @BeforeAll
    static void start() {
        server = new RunningAdmin();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void everyRouteIsClosed() {
        var routes = server.routes()
                .filter(route -> route.contains(" /_") && route.contains("/admin/"))
                .filter(route -> !route.endsWith(OPEN))
                .toList();
        assertThat(routes).hasSizeGreaterThanOrEqualTo(ROUTES_MIN);
        assertThat(routes).allSatisfy(route -> {
            assertThat(status(ADA, route)).isEqualTo(403);
            assertThat(status(NOBODY, route)).isEqualTo(401);
        });
    }

    /** If the gateway had other tenants than this service, one organisation would receive another's data (design.md 7). */
    @Test
    void onlyTenantsOfTheServiceAndTheirOwnUsersAreServed() {
        var admin = new Known(new UserId("@ada:tenant1.example"), new DeviceId("D"), true);

        assertThat(server.call(1, admin, "GET", "/v3/admin/rate-limits").statusCode())
                .isEqualTo(200);
        assertThat(server.call(2, admin, "GET", "/v3/admin/rate-limits"))
                .satisfies(answer -> assertThat(answer.statusCode()).isEqualTo(401))
                .satisfies(answer -> assertThat(answer.body()).contains("M_UNKNOWN_TOKEN"));
        assertThat(server.call(3, NOBODY, "GET", "/v3/admin/rate-limits").statusCode())
                .isEqualTo(503);
    }

    private static int status(Identity identity, String route) {
        var words = route.split(" ", 2);
        String path = words[1].replaceFirst("^" + PREFIX, "").replaceAll("\\{[^}]*}", "x");
        return server.call(1, identity, words[0], path).statusCode();
    }
}
