package rookery.auth.keys;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.auth.device.TenantDevice;
import rookery.model.id.DeviceId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.http.Callers;
import rookery.platform.http.ServiceName;

/** How many keys a device has left, for sync-service, which follows the user log from there. Internal. */
@RestController
class InternalKeysApi {
    private final KeyCounts counts;

    InternalKeysApi(KeyCounts counts) {
        this.counts = counts;
    }

    /** As of the end of the user's shard; nothing for an unknown device. */
    @Callers(ServiceName.SYNC)
    @GetMapping("/internal/users/{userId}/devices/{deviceId}/key-counts")
    Mono<Answer> counts(@PathVariable UserId userId, @PathVariable DeviceId deviceId, @RequestParam int tenant) {
        return counts.of(new TenantDevice(new TenantId(tenant), userId, deviceId))
                .map(counted -> new Answer(
                        counted.head().epoch(),
                        counted.head().pos(),
                        counted.head().shard(),
                        counted.counts().oneTimeKeys(),
                        counted.counts().unusedFallback()));
    }

    record Answer(
            long epoch,
            long pos,
            int shard,
            @JsonProperty("one_time_keys") Map<String, Long> oneTimeKeys,
            @JsonProperty("unused_fallback") List<String> unusedFallback) {}
}
