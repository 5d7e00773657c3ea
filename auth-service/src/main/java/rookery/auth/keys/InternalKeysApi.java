// SPDX-License-Identifier: Apache-2.0
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

/** Key counts and key changes for sync-service, which follows the user log from the returned position. Internal. */
@RestController
class InternalKeysApi {
    private final KeyCounts counts;
    private final KeyChanges changes;

    InternalKeysApi(KeyCounts counts, KeyChanges changes) {
        this.counts = counts;
        this.changes = changes;
    }

    /** The counts as of the end of the user's shard; the changes are read a moment later. Zero counts for an unknown device. */
    @Callers(ServiceName.SYNC)
    @GetMapping("/internal/users/{userId}/devices/{deviceId}/key-counts")
    Mono<KeyCountsAnswer> counts(
            @PathVariable UserId userId, @PathVariable DeviceId deviceId, @RequestParam int tenant) {
        var device = new TenantDevice(new TenantId(tenant), userId, deviceId);
        return counts.of(device)
                .flatMap(counted ->
                        changes.of(device.tenant(), userId).map(changed -> KeyCountsAnswer.of(counted, changed)));
    }

    record KeyCountsAnswer(
            long epoch,
            long pos,
            int shard,
            @JsonProperty("one_time_keys") Map<String, Long> oneTimeKeys,
            @JsonProperty("unused_fallback") List<String> unusedFallback,
            @JsonProperty("key_changes") List<KeyChanges.Change> keyChanges) {
        static KeyCountsAnswer of(KeyCounts.CountsAtHead counted, List<KeyChanges.Change> changes) {
            var head = counted.head();
            var counts = counted.counts();
            return new KeyCountsAnswer(
                    head.epoch(), head.pos(), head.shard(), counts.oneTimeKeys(), counts.unusedFallback(), changes);
        }
    }
}
