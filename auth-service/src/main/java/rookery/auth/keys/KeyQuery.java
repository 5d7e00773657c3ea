// SPDX-License-Identifier: Apache-2.0
package rookery.auth.keys;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.auth.keys.KeysApi.QueryResponse;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.http.AnswerBudget;
import rookery.platform.http.JsonBody;
import rookery.platform.json.JsonText;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Queries device keys and cross-signing keys, with one statement each for hundreds of users. */
@Component
class KeyQuery {
    private static final int USERS_MAX = 5000;
    /** The maximum size of the keys in an answer, which is built in memory. */
    private static final int CHARS_MAX = 16 << 20;

    private static final int TEXT_AND_BYTES = 2;

    private static final JsonMapper JSON = JsonMapper.shared();

    private final DeviceKeys deviceKeys;
    private final CrossSigningKeys crossSigningKeys;

    KeyQuery(DeviceKeys deviceKeys, CrossSigningKeys crossSigningKeys) {
        this.deviceKeys = deviceKeys;
        this.crossSigningKeys = crossSigningKeys;
    }

    /**
     * The keys that the caller may see. Unknown users are omitted. A user without device keys is listed with no devices, so that
     * clients delete cached devices. Display names of devices are only for their owner.
     *
     * <p>M_TOO_LARGE for an answer above the limit.
     *
     * @param requested the device IDs by user; an empty set requests all devices
     */
    Mono<QueryResponse> of(TenantId tenant, UserId caller, Map<UserId, Set<String>> requested) {
        var chars = new AtomicLong();
        return deviceKeys
                .ofUsers(tenant, requested.keySet())
                .doOnNext(device -> requireFew(chars.addAndGet(device.content().length())))
                .collectList()
                .delayUntil(_ -> AnswerBudget.reserve(TEXT_AND_BYTES * chars.get()))
                .flatMap(devices -> crossSigningKeys
                        .shown(tenant, caller, requested.keySet())
                        .map(keys -> response(caller, requested, devices, keys)));
    }

    private static void requireFew(long chars) {
        if (chars > CHARS_MAX) {
            throw new ApiException(ErrorCode.M_TOO_LARGE, "these users have too many keys: ask for fewer at once");
        }
    }

    /** Parses the body and drops invalid user IDs. M_MISSING_PARAM, M_BAD_JSON, M_INVALID_PARAM for too many users. Pure. */
    static Map<UserId, Set<String>> requested(JsonBody body) {
        var _ = body.optionalInteger("timeout"); // the timeout for other servers, of which there are none
        var users = body.object("device_keys").json();
        if (users.size() > USERS_MAX) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "ask for at most " + USERS_MAX + " users at once");
        }
        Map<UserId, Set<String>> requested = new HashMap<>();
        for (var user : users.properties()) {
            var devices = devices(user.getValue());
            try {
                requested.put(new UserId(user.getKey()), devices);
            } catch (ApiException _) {
                // an invalid ID belongs to no user
            }
        }
        return requested;
    }

    /** Old clients send an empty object instead of an empty list. */
    private static Set<String> devices(JsonNode node) {
        if (node.isObject() && node.isEmpty()) {
            return Set.of();
        }
        if (!node.isArray() || node.valueStream().anyMatch(device -> !device.isString())) {
            throw new ApiException(ErrorCode.M_BAD_JSON, "device_keys must be an object of arrays of device ids");
        }
        var devices = new HashSet<String>();
        node.forEach(device -> devices.add(device.stringValue()));
        return devices;
    }

    private static QueryResponse response(
            UserId caller,
            Map<UserId, Set<String>> requested,
            List<DeviceKeys.DeviceKeyRow> devices,
            List<CrossSigningKeys.KeyRow> keys) {
        var response = new QueryResponse(
                new LinkedHashMap<>(), Map.of(), new LinkedHashMap<>(), new LinkedHashMap<>(), new LinkedHashMap<>());
        for (var device : devices) {
            var ofUser = response.deviceKeys().computeIfAbsent(device.user().value(), _ -> new LinkedHashMap<>());
            var ids = requested.getOrDefault(device.user(), Set.of());
            var id = device.device();
            if (id != null && (ids.isEmpty() || ids.contains(id.value()))) {
                ofUser.put(id.value(), shown(device, device.user().equals(caller)));
            }
        }
        for (var key : keys) {
            var all = switch (key.usage()) {
                case MASTER -> response.masterKeys();
                case SELF_SIGNING -> response.selfSigningKeys();
                case USER_SIGNING -> response.userSigningKeys();
            };
            all.put(key.user().value(), key.signed());
        }
        return response;
    }

    private static JsonText shown(DeviceKeys.DeviceKeyRow device, boolean isOwn) {
        String name = isOwn ? device.displayName() : null;
        if (name == null && device.signers().isEmpty()) {
            return new JsonText(device.content()); // unchanged from the database
        }
        var json = (ObjectNode) JSON.readTree(device.content());
        for (int i = 0; i < device.signers().size(); i++) {
            SignedObject.sign(
                    json,
                    device.user(),
                    device.signers().get(i),
                    device.signatures().get(i));
        }
        if (name != null) {
            json.putObject("unsigned").put("device_display_name", name);
        }
        return new JsonText(json.toString());
    }
}
