// SPDX-License-Identifier: Apache-2.0
package rookery.admin.synapse;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.admin.Local;
import rookery.admin.audit.Audit;
import rookery.admin.user.AccountClient;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.DeviceId;
import rookery.platform.http.Access;
import rookery.platform.http.Access.Level;
import rookery.platform.http.JsonBody;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Devices of users (contract.md 5.7). Errors: M_FORBIDDEN for other users before any lookup, M_INVALID_PARAM for ids of other servers,
 * M_NOT_FOUND.
 */
@RestController
@Access(Level.ADMIN)
@RequestMapping("/_synapse/admin/v2/users/{userId}")
class SynapseDeviceApi {
    private static final int DEVICES_MAX = 1_000;

    private final AccountClient accounts;
    private final Audit audit;

    SynapseDeviceApi(AccountClient accounts, Audit audit) {
        this.accounts = accounts;
        this.audit = audit;
    }

    @GetMapping("/devices")
    Mono<ObjectNode> devices(Caller caller, @PathVariable String userId) {
        var user = Local.user(caller, userId);
        return audit.recorded(caller, "list devices", userId, accounts.whois(caller.tenant(), user))
                .map(SynapseDeviceApi::list);
    }

    @GetMapping("/devices/{deviceId}")
    Mono<ObjectNode> device(Caller caller, @PathVariable String userId, @PathVariable String deviceId) {
        var user = Local.user(caller, userId);
        var found = accounts.whois(caller.tenant(), user)
                .filter(whois -> whois.path("devices").has(deviceId))
                .map(whois -> shape(userId, whois.path("devices").path(deviceId)))
                .switchIfEmpty(Mono.error(() -> new ApiException(ErrorCode.M_NOT_FOUND, "there is no such device")));
        return audit.recorded(caller, "list devices", userId, found);
    }

    private static ObjectNode list(ObjectNode whois) {
        var answer = JsonNodeFactory.instance.objectNode();
        var devices = answer.putArray("devices");
        whois.path("devices")
                .forEach(device -> devices.add(shape(whois.path("user_id").asString(), device)));
        return answer.put("total", devices.size());
    }

    private static ObjectNode shape(String user, JsonNode device) {
        var shape = JsonNodeFactory.instance.objectNode();
        shape.set("device_id", device.path("device_id"));
        shape.set("display_name", device.path("display_name"));
        shape.set("last_seen_ip", device.path("last_seen_ip"));
        shape.set("last_seen_ts", device.path("last_seen_ts"));
        var newest = device.path("sessions").path(0).path("connections").path(0);
        return shape.put("last_seen_user_agent", newest.path("user_agent").stringValue(null))
                .put("user_id", user);
    }

    /** Ends the device's session. A device that is gone is no error. */
    @DeleteMapping("/devices/{deviceId}")
    Mono<Map<String, String>> delete(Caller caller, @PathVariable String userId, @PathVariable String deviceId) {
        return deleted(caller, userId, List.of(new DeviceId(deviceId)));
    }

    /** Body {@code {"devices": [id]}}, at most 1,000. */
    @PostMapping("/delete_devices")
    Mono<Map<String, String>> deleteSome(Caller caller, @PathVariable String userId, JsonBody body) {
        var devices = new LinkedHashSet<DeviceId>();
        body.strings("devices").forEach(id -> devices.add(new DeviceId(id)));
        if (devices.isEmpty() || devices.size() > DEVICES_MAX) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "list at least one device and at most " + DEVICES_MAX);
        }
        return deleted(caller, userId, List.copyOf(devices));
    }

    private Mono<Map<String, String>> deleted(Caller caller, String userId, List<DeviceId> devices) {
        var act = accounts.deleteDevices(caller.tenant(), Local.user(caller, userId), devices);
        return audit.recorded(caller, "delete devices", userId, act).thenReturn(Map.of());
    }
}
