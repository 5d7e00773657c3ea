// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.health;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;
import rookery.platform.tenant.Tenants;

/** {@code GET /versions} (contract.md D42, 13.1): the versions by which clients decide about compatibility. */
@RestController
class VersionsApi {
    private static final int OLDEST = 1;
    private static final int NEWEST = 19;
    /** Features that clients still look up under the unstable names of their proposals (contract.md 13.1). */
    private static final Map<String, Boolean> UNSTABLE = Map.of(
            "org.matrix.e2e_cross_signing", true,
            "org.matrix.msc3391", true, // deleting account data
            "org.matrix.msc3874", true, // rel_types of /messages
            "org.matrix.simplified_msc3575", true, // sliding sync
            "uk.half-shot.msc2666.query_mutual_rooms", true,
            "uk.half-shot.msc2666.query_mutual_rooms.stable", true);

    private static final String DELAYED_EVENTS = "org.matrix.msc4140";

    private static final List<String> VERSIONS = IntStream.rangeClosed(OLDEST, NEWEST)
            .mapToObj(minor -> "v1." + minor)
            .toList();

    private final Tenants tenants;

    VersionsApi(Tenants tenants) {
        this.tenants = tenants;
    }

    @GetMapping({"/_api/client/versions", "/_matrix/client/versions"})
    Versions versions(@RequestHeader(value = HttpHeaders.HOST, required = false) @Nullable String host) {
        var features = new TreeMap<>(UNSTABLE);
        var tenant = tenants.ofHost(host);
        features.put(DELAYED_EVENTS, tenant != null && tenants.hasDelayedEvents(tenant.id()));
        return new Versions(VERSIONS, features);
    }

    record Versions(
            List<String> versions,
            @JsonProperty("unstable_features") Map<String, Boolean> unstableFeatures) {}
}
