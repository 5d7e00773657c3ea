// SPDX-License-Identifier: Apache-2.0
package rookery.auth.session;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.auth.interactive.Authentication.Passed;
import rookery.auth.interactive.Flows;
import rookery.auth.interactive.Interactive;
import rookery.auth.interactive.Operation;
import rookery.auth.session.SessionEnder.EndRequest;
import rookery.auth.session.SessionEnder.Only;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.DeviceId;
import rookery.platform.http.JsonBody;

/**
 * Deletes the caller's devices after user-interactive authentication (contract.md 3.4, 3.5). Unknown devices are no error.
 * Errors: 401 with the next stage; M_MISSING_PARAM, M_BAD_JSON and M_INVALID_PARAM for the list; M_FORBIDDEN.
 */
@RestController
class DeviceDeletionApi {
    private static final int DEVICES_MAX = 1000;

    private final Interactive interactive;
    private final SessionEnder sessions;

    DeviceDeletionApi(Interactive interactive, SessionEnder sessions) {
        this.interactive = interactive;
        this.sessions = sessions;
    }

    @DeleteMapping("/_api/client/v3/devices/{deviceId}")
    Mono<ResponseEntity<Object>> delete(Caller caller, @PathVariable DeviceId deviceId, JsonBody body) {
        return interactive.guarded(
                caller,
                Operation.deleteDevice(deviceId.value()),
                Flows.PASSWORD,
                body,
                passed -> deleted(caller, passed, List.of(deviceId)));
    }

    @PostMapping("/_api/client/v3/delete_devices")
    Mono<ResponseEntity<Object>> deleteSome(Caller caller, JsonBody body) {
        if (body.has("devices") || !goesOn(body)) {
            var _ = devices(body); // validates the list before a session stores it
        }
        return interactive.guarded(
                caller,
                Operation.DELETE_DEVICES,
                Flows.PASSWORD,
                body,
                passed -> deleted(caller, passed, devices(passed.parameters())));
    }

    /** Empty if another request has used the authentication. */
    private Mono<Map<String, Object>> deleted(Caller caller, Passed passed, List<DeviceId> devices) {
        return sessions.end(new EndRequest(
                        caller.tenant(),
                        caller.user(),
                        new Only(devices),
                        () -> interactive.consume(caller.tenant(), passed, caller.user(), null)))
                .filter(mayRun -> mayRun)
                .map(_ -> Map.of());
    }

    /** True if the request continues a session, whose first request contains the list. */
    private static boolean goesOn(JsonBody body) {
        var auth = body.optionalObject("auth");
        return auth != null && auth.has("session");
    }

    private static List<DeviceId> devices(JsonBody body) {
        if (!body.has("devices")) {
            throw new ApiException(ErrorCode.M_MISSING_PARAM, "the field devices is missing");
        }
        var devices = new LinkedHashSet<DeviceId>();
        body.strings("devices").forEach(id -> devices.add(new DeviceId(id)));
        if (devices.isEmpty() || devices.size() > DEVICES_MAX) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "list at least one device and at most " + DEVICES_MAX);
        }
        return List.copyOf(devices);
    }
}
