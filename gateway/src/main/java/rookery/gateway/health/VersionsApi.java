// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.health;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

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

    private static final Versions VERSIONS = new Versions(
            IntStream.rangeClosed(OLDEST, NEWEST)
                    .mapToObj(minor -> "v1." + minor)
                    .toList(),
            UNSTABLE);

    @GetMapping({"/_api/client/versions", "/_matrix/client/versions"})
    Versions versions() {
        return VERSIONS;
    }

    record Versions(
            List<String> versions,
            @JsonProperty("unstable_features") Map<String, Boolean> unstableFeatures) {}
}
