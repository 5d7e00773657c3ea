// SPDX-License-Identifier: Apache-2.0
package rookery.auth.device;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.DeviceId;
import rookery.platform.http.JsonBody;

/** The caller's devices (contract.md 3.5). Errors: M_NOT_FOUND; M_BAD_JSON and M_INVALID_PARAM for a name. */
@RestController
class DevicesApi {
    private final Devices devices;

    DevicesApi(Devices devices) {
        this.devices = devices;
    }

    @GetMapping("/_api/client/v3/devices")
    Mono<Map<String, List<DeviceAnswer>>> devices(Caller caller) {
        return devices.of(caller.tenant(), caller.user())
                .map(all -> Map.of("devices", all.stream().map(DeviceAnswer::of).toList()));
    }

    @GetMapping("/_api/client/v3/devices/{deviceId}")
    Mono<DeviceAnswer> device(Caller caller, @PathVariable String deviceId) {
        return devices.of(caller.tenant(), caller.user())
                .flatMapMany(Flux::fromIterable)
                .filter(device -> device.id().value().equals(deviceId))
                .next()
                .map(DeviceAnswer::of)
                .switchIfEmpty(Mono.error(DevicesApi::unknown));
    }

    /** Never creates a device. */
    @PutMapping("/_api/client/v3/devices/{deviceId}")
    Mono<Map<String, Object>> rename(Caller caller, @PathVariable DeviceId deviceId, JsonBody body) {
        String name = body.optionalString("display_name");
        return devices.rename(caller.tenant(), caller.user(), deviceId, name == null ? null : new DeviceName(name))
                .filter(exists -> exists)
                .switchIfEmpty(Mono.error(DevicesApi::unknown))
                .thenReturn(Map.of());
    }

    private static ApiException unknown() {
        return new ApiException(ErrorCode.M_NOT_FOUND, "there is no such device");
    }

    @JsonInclude(JsonInclude.Include.NON_NULL)
    record DeviceAnswer(
            @JsonProperty("device_id") DeviceId id,
            @JsonProperty("display_name") String name,
            @JsonProperty("last_seen_ts") @Nullable Long lastSeenMillis,
            @JsonProperty("last_seen_ip") @Nullable String lastIp) {
        static DeviceAnswer of(Device device) {
            var seen = device.lastSeen();
            return new DeviceAnswer(
                    device.id(), device.name(), seen == null ? null : seen.toEpochMilli(), device.lastIp());
        }
    }
}
