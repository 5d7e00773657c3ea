// SPDX-License-Identifier: Apache-2.0
package rookery.admin.synapse;

import java.util.Map;
import java.util.Objects;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import rookery.admin.AdminApplication;
import rookery.platform.http.Access;
import rookery.platform.http.Access.Level;

/** The version of the server, which tools show, and which some request before a login (contract.md 5.7). */
@RestController
class SynapseVersionApi {
    private static final String VERSION =
            Objects.requireNonNullElse(AdminApplication.class.getPackage().getImplementationVersion(), "0.0.0");

    @GetMapping("/_synapse/admin/v1/server_version")
    @Access(Level.NONE)
    Map<String, String> version() {
        return Map.of("server_version", "Rookery " + VERSION);
    }
}
