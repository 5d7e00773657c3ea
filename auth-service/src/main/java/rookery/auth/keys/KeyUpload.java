// SPDX-License-Identifier: Apache-2.0
package rookery.auth.keys;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import rookery.auth.device.TenantDevice;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.platform.http.JsonBody;
import rookery.platform.json.CanonicalJson;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The body of a keys/upload, after the checks that need no stored data (contract.md 13.5).
 *
 * @param deviceKeys canonical JSON, or null
 * @param oneTime in the order in which they are given out
 * @param fallback at most one per algorithm
 */
record KeyUpload(@Nullable String deviceKeys, List<UploadedKey> oneTime, List<UploadedKey> fallback) {
    /** The limit per algorithm, in one upload and in sum. */
    static final int KEYS_MAX = 1000;

    static final int ALGORITHMS_MAX = 4;
    private static final int KEY_BYTES_MAX = 4096;
    private static final int DEVICE_KEYS_BYTES_MAX = 8 << 10;
    private static final String UNSIGNED = "unsigned";
    private static final JsonMapper JSON = JsonMapper.shared();

    /** A key; the content is canonical JSON. */
    record UploadedKey(KeyId id, String content) {}

    /**
     * Parses the body; absent fields are empty. M_BAD_JSON, M_MISSING_PARAM; M_INVALID_PARAM for keys of another device, invalid
     * key IDs and too many keys; M_TOO_LARGE.
     */
    static KeyUpload of(JsonBody body, TenantDevice own) {
        var device = body.optionalObject("device_keys");
        var fallback = keys(body, "fallback_keys");
        if (fallback.stream().map(key -> key.id.algorithm()).distinct().count() < fallback.size()) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "a device has one fallback key of each algorithm");
        }
        return new KeyUpload(device == null ? null : deviceKeys(device, own), keys(body, "one_time_keys"), fallback);
    }

    boolean isEmpty() {
        return deviceKeys == null && oneTime.isEmpty() && fallback.isEmpty();
    }

    private static String deviceKeys(JsonBody keys, TenantDevice own) {
        if (!keys.string("user_id").equals(own.user().value())
                || !keys.string("device_id").equals(own.device().value())) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "device_keys must belong to the uploading device");
        }
        if (!keys.has("algorithms")) {
            throw new ApiException(ErrorCode.M_MISSING_PARAM, "the field algorithms is missing");
        }
        var _ = keys.strings("algorithms");
        requireStrings(keys.object("keys").json(), "keys");
        for (var signer : keys.object("signatures").json().properties()) {
            requireStrings(signer.getValue(), "signatures");
        }
        var stored = keys.json().deepCopy();
        stored.remove(UNSIGNED); // only the server writes this field
        return limited(stored, DEVICE_KEYS_BYTES_MAX);
    }

    /**
     * M_INVALID_PARAM for changed identity keys, because others know the device by them. Signatures and algorithms may change.
     */
    void requireSameIdentity(String stored) {
        if (deviceKeys != null && !identity(stored).equals(identity(deviceKeys))) {
            throw new ApiException(
                    ErrorCode.M_INVALID_PARAM, "the identity keys of a device cannot change: log in as a new device");
        }
    }

    private static JsonNode identity(String deviceKeys) {
        return JSON.readTree(deviceKeys).path("keys");
    }

    private static void requireStrings(JsonNode node, String field) {
        if (!(node instanceof ObjectNode object) || object.valueStream().anyMatch(value -> !value.isString())) {
            throw new ApiException(ErrorCode.M_BAD_JSON, "the field " + field + " must be an object of strings");
        }
    }

    private static List<UploadedKey> keys(JsonBody body, String field) {
        var object = body.optionalObject(field);
        if (object == null) {
            return List.of();
        }
        if (object.json().size() > ALGORITHMS_MAX * KEYS_MAX) {
            throw tooMany();
        }
        var keys = new ArrayList<UploadedKey>();
        for (var key : object.json().properties()) {
            if (!key.getValue().isString() && !key.getValue().isObject()) {
                throw new ApiException(ErrorCode.M_BAD_JSON, "a key is a string or an object");
            }
            keys.add(new UploadedKey(KeyId.of(key.getKey()), limited(key.getValue(), KEY_BYTES_MAX)));
        }
        requireFew(keys);
        return keys;
    }

    private static void requireFew(List<UploadedKey> keys) {
        Map<String, Integer> counts = new HashMap<>();
        keys.forEach(key -> counts.merge(key.id.algorithm(), 1, Integer::sum));
        if (counts.size() > ALGORITHMS_MAX || counts.values().stream().anyMatch(count -> count > KEYS_MAX)) {
            throw tooMany();
        }
    }

    static ApiException tooMany() {
        return new ApiException(
                ErrorCode.M_INVALID_PARAM,
                "a device has keys of at most " + ALGORITHMS_MAX + " algorithms, and at most " + KEYS_MAX + " of each");
    }

    private static String limited(JsonNode node, int bytesMax) {
        String text = CanonicalJson.write(node);
        if (text.getBytes(StandardCharsets.UTF_8).length > bytesMax) {
            throw new ApiException(ErrorCode.M_TOO_LARGE, "this key has at most " + bytesMax + " bytes");
        }
        return text;
    }
}
