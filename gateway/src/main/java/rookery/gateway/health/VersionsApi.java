package rookery.gateway.health;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** {@code GET /versions} (contract.md D42, 13.1): what clients decide by whether they can talk to us. */
@RestController
class VersionsApi {
    private static final int OLDEST = 1;
    private static final int NEWEST = 12;
    private static final Versions VERSIONS = new Versions(
            IntStream.rangeClosed(OLDEST, NEWEST)
                    .mapToObj(minor -> "v1." + minor)
                    .toList(),
            Map.of());

    @GetMapping({"/_api/client/versions", "/_matrix/client/versions"})
    Versions versions() {
        return VERSIONS;
    }

    record Versions(
            List<String> versions,
            @JsonProperty("unstable_features") Map<String, Boolean> unstableFeatures) {}
}
