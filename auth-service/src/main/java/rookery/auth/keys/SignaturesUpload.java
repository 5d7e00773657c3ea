// SPDX-License-Identifier: Apache-2.0
package rookery.auth.keys;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.UserId;
import rookery.platform.http.JsonBody;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Signatures made by a user (contract.md 13.5): of the user's devices by the self-signing key, of the own master key by the
 * user's devices, of other users' master keys by the user-signing key. Pure.
 *
 * @param signer the uploading user
 */
record SignaturesUpload(UserId signer, List<SignedKey> signed) {
    private static final int KEYS_MAX = 500;
    private static final int SIGNATURES_MAX = 20;
    private static final JsonMapper JSON = JsonMapper.shared();

    /** A key as the signer saw it; {@code id} is a device ID or a public key. */
    record SignedKey(String user, String id, ObjectNode json) {}

    /** M_BAD_JSON, M_INVALID_PARAM for too many keys. */
    static SignaturesUpload of(JsonBody body, UserId signer) {
        var signed = new ArrayList<SignedKey>();
        for (var user : body.json().properties()) {
            for (var key : object(user.getValue()).properties()) {
                signed.add(new SignedKey(user.getKey(), key.getKey(), object(key.getValue())));
                if (signed.size() > KEYS_MAX) {
                    throw new ApiException(ErrorCode.M_INVALID_PARAM, "sign at most " + KEYS_MAX + " keys at once");
                }
            }
        }
        return new SignaturesUpload(signer, signed);
    }

    private static ObjectNode object(JsonNode node) {
        if (node instanceof ObjectNode object) {
            return object;
        }
        throw new ApiException(ErrorCode.M_BAD_JSON, "signatures are an object by user and key");
    }

    /** The signer and the users of the signed keys; invalid user IDs are dropped. */
    List<UserId> users() {
        var users = new LinkedHashSet<UserId>();
        users.add(signer);
        for (var key : signed) {
            var user = user(key);
            if (user != null) {
                users.add(user);
            }
        }
        return List.copyOf(users);
    }

    private static @Nullable UserId user(SignedKey key) {
        try {
            return new UserId(key.user);
        } catch (ApiException _) {
            return null;
        }
    }

    /** The valid signatures, and the failures by user and key. */
    record Verdict(List<ValidSignature> good, Map<String, Map<String, Failure>> failures) {}

    /**
     * A valid signature.
     *
     * @param device the signed device, or null for the owner's master key
     * @param content the stored key
     */
    record ValidSignature(UserId owner, @Nullable String device, String content, String signerKey, String signature) {}

    record Failure(@JsonProperty("errcode") ErrorCode code, String error) {}

    /**
     * Verifies each signature against the stored keys.
     *
     * @param devices the signer's devices
     * @param keys the cross-signing keys visible to the signer
     */
    Verdict judge(List<DeviceKeys.DeviceKeyRow> devices, List<CrossSigningKeys.KeyRow> keys) {
        var stored = new StoredKeys(devices, keys);
        var verdict = new Verdict(new ArrayList<>(), new LinkedHashMap<>());
        for (var key : signed) {
            try {
                verdict.good.addAll(good(key, stored));
            } catch (ApiException refusal) {
                verdict.failures
                        .computeIfAbsent(key.user, _ -> new LinkedHashMap<>())
                        .put(key.id, new Failure(refusal.code, refusal.reason));
            }
        }
        return verdict;
    }

    private List<ValidSignature> good(SignedKey key, StoredKeys stored) {
        var owner = user(key);
        if (owner == null) {
            throw unknown();
        }
        boolean isOwn = owner.equals(signer);
        String device = isOwn ? stored.devices.get(key.id) : null;
        if (device != null) {
            requireSame(key, device);
            return List.of(signed(key, owner, device, stored.key(signer, Usage.SELF_SIGNING), key.id));
        }
        var master = stored.keys.get(owner.value() + Usage.MASTER.text());
        if (master == null || !master.publicKey().equals(key.id)) {
            throw unknown();
        }
        requireSame(key, master.content());
        return isOwn
                ? byDevices(key, master.content(), stored)
                : List.of(signed(key, owner, master.content(), stored.key(signer, Usage.USER_SIGNING), null));
    }

    private ValidSignature signed(
            SignedKey key, UserId owner, String content, @Nullable String publicKey, @Nullable String device) {
        String id = SignedObject.ED25519 + publicKey;
        String signature = publicKey == null ? null : SignedObject.signature(key.json, signer, id);
        if (publicKey == null || signature == null || !SignedObject.isSigned(key.json, publicKey, signature)) {
            throw invalid("a valid signature by the signing key is missing");
        }
        return new ValidSignature(owner, device, content, id, signature);
    }

    /** For the signer's master key: every signature by one of the signer's devices must be valid. */
    private List<ValidSignature> byDevices(SignedKey key, String content, StoredKeys stored) {
        var good = new ArrayList<ValidSignature>();
        var signatures = key.json.path(SignedObject.SIGNATURES).path(signer.value());
        if (signatures.size() > SIGNATURES_MAX) {
            throw invalid("there are too many signatures");
        }
        for (String id : signatures.propertyNames()) {
            String name = id.startsWith(SignedObject.ED25519) ? id.substring(SignedObject.ED25519.length()) : "";
            String device = stored.devices.get(name);
            if (device != null) {
                String signature = SignedObject.signature(key.json, signer, id);
                String publicKey = JSON.readTree(device).path("keys").path(id).asString("");
                if (signature == null || !SignedObject.isSigned(key.json, publicKey, signature)) {
                    throw invalid("a device's signature is invalid");
                }
                good.add(new ValidSignature(signer, null, content, id, signature));
            }
        }
        if (good.isEmpty()) {
            throw invalid("no device of the signer has signed the master key");
        }
        return good;
    }

    /** A signature of a different content would vouch for keys that are not stored. */
    private static void requireSame(SignedKey key, String content) {
        var there = (ObjectNode) JSON.readTree(content);
        if (!SignedObject.signedPart(key.json).equals(SignedObject.signedPart(there))) {
            throw invalid("the signed key differs from the stored key");
        }
    }

    private static ApiException unknown() {
        return new ApiException(ErrorCode.M_NOT_FOUND, "there is no such key");
    }

    private static ApiException invalid(String reason) {
        return new ApiException(ErrorCode.M_INVALID_SIGNATURE, reason);
    }

    /** The stored keys by ID. */
    private static final class StoredKeys {
        final Map<String, String> devices = new HashMap<>();
        final Map<String, CrossSigningKeys.KeyRow> keys = new HashMap<>();

        StoredKeys(List<DeviceKeys.DeviceKeyRow> devices, List<CrossSigningKeys.KeyRow> keys) {
            for (var device : devices) {
                if (device.device() != null) {
                    this.devices.put(device.device().value(), device.content());
                }
            }
            keys.forEach(key -> this.keys.put(key.user().value() + key.usage().text(), key));
        }

        @Nullable
        String key(UserId user, Usage usage) {
            var key = keys.get(user.value() + usage.text());
            return key == null ? null : key.publicKey();
        }
    }
}
