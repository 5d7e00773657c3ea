// SPDX-License-Identifier: Apache-2.0
package rookery.auth.keys;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.UserId;
import rookery.platform.http.JsonBody;
import rookery.platform.json.CanonicalJson;
import tools.jackson.databind.node.ObjectNode;

/** The cross-signing keys of one upload: at least one, at most one per usage (contract.md 13.5). */
record SigningUpload(List<SigningKey> keys) {
    private static final int BYTES_MAX = 16 << 10;

    /** A key: the public key in base64, and the whole object as canonical JSON. */
    record SigningKey(Usage usage, String publicKey, String content, ObjectNode json) {
        /** The key ID in signatures. */
        String id() {
            return SignedObject.ED25519 + publicKey;
        }
    }

    /** True if the body contains a cross-signing key. */
    static boolean isIn(JsonBody body) {
        return Arrays.stream(Usage.values()).anyMatch(usage -> body.has(usage.field()));
    }

    /** M_MISSING_PARAM, M_BAD_JSON, M_INVALID_PARAM for another user's key or another usage, M_TOO_LARGE. */
    static SigningUpload of(JsonBody body, UserId owner) {
        var keys = new ArrayList<SigningKey>();
        for (var usage : Usage.values()) {
            var key = body.optionalObject(usage.field());
            if (key != null) {
                keys.add(key(key, usage, owner));
            }
        }
        if (keys.isEmpty()) {
            throw new ApiException(ErrorCode.M_MISSING_PARAM, "the field master_key is missing");
        }
        return new SigningUpload(keys);
    }

    private static SigningKey key(JsonBody key, Usage usage, UserId owner) {
        if (!key.string("user_id").equals(owner.value())) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "a key must be of the user who sends it");
        }
        if (!key.has("usage")) {
            throw new ApiException(ErrorCode.M_MISSING_PARAM, "the field usage is missing");
        }
        if (!key.strings("usage").contains(usage.text())) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "the usage of this key must be " + usage.text());
        }
        if (key.optionalObject(SignedObject.SIGNATURES) != null) {
            for (var signer : key.object(SignedObject.SIGNATURES).json().properties()) {
                if (!signer.getValue().isObject()) {
                    throw new ApiException(ErrorCode.M_BAD_JSON, "signatures must be an object of objects");
                }
            }
        }
        String publicKey = publicKey(key.object("keys").json());
        String content = CanonicalJson.write(key.json());
        if (content.getBytes(StandardCharsets.UTF_8).length > BYTES_MAX) {
            throw new ApiException(ErrorCode.M_TOO_LARGE, "this key has at most " + BYTES_MAX + " bytes");
        }
        return new SigningKey(usage, publicKey, content, key.json());
    }

    private static String publicKey(ObjectNode keys) {
        if (keys.size() == 1) {
            var only = keys.properties().iterator().next();
            if (SignedObject.isKey(only.getValue())
                    && only.getKey()
                            .equals(SignedObject.ED25519 + only.getValue().stringValue())) {
                return only.getValue().stringValue();
            }
        }
        throw new ApiException(
                ErrorCode.M_INVALID_PARAM, "keys must contain one ed25519 key, with the public key in its ID");
    }

    /** The effect of an upload. */
    sealed interface Verdict {}

    /** All keys are already stored, possibly with other signatures. */
    record Unchanged() implements Verdict {}

    /**
     * The upload changes the stored keys.
     *
     * @param isFirst whether the user had no keys before
     * @param isNewMaster whether all stored keys are deleted first
     * @param written the keys to insert, or to replace by usage
     */
    record Change(boolean isFirst, boolean isNewMaster, List<SigningKey> written) implements Verdict {}

    /**
     * Compares the upload with the stored keys. A new master key invalidates the keys that the old one has signed, so they are
     * deleted. Pure.
     *
     * @param stored the user's keys
     * @throws ApiException M_MISSING_PARAM without any master key, M_INVALID_SIGNATURE for a key that the master key has
     *     not signed
     */
    Verdict judge(List<CrossSigningKeys.KeyRow> stored) {
        Map<Usage, String> before = new EnumMap<>(Usage.class);
        stored.forEach(key -> before.put(key.usage(), key.content()));
        if (keys.stream().allMatch(key -> SignedObject.isSame(key.content, before.get(key.usage)))) {
            return new Unchanged();
        }
        var added = keys.stream()
                .filter(key -> !key.content.equals(before.get(key.usage)))
                .toList();
        var own = of(Usage.MASTER);
        String master = own == null ? stored(stored) : own.publicKey;
        boolean isNewMaster = own != null && !own.publicKey.equals(storedOrNull(stored));
        var written = isNewMaster ? keys : added;
        for (var key : written) {
            if (key.usage != Usage.MASTER && !isSigned(key, master)) {
                throw new ApiException(
                        ErrorCode.M_INVALID_SIGNATURE, "the master key has not signed the key for " + key.usage.text());
            }
        }
        return new Change(stored.isEmpty(), isNewMaster, written);
    }

    private static boolean isSigned(SigningKey key, String master) {
        var owner = new UserId(key.json.path("user_id").stringValue());
        return SignedObject.isSigned(
                key.json, master, SignedObject.signature(key.json, owner, SignedObject.ED25519 + master));
    }

    private @Nullable SigningKey of(Usage usage) {
        return keys.stream().filter(key -> key.usage == usage).findFirst().orElse(null);
    }

    private static String stored(List<CrossSigningKeys.KeyRow> stored) {
        String master = storedOrNull(stored);
        if (master == null) {
            throw new ApiException(
                    ErrorCode.M_MISSING_PARAM, "there is no master key yet: the field master_key is missing");
        }
        return master;
    }

    private static @Nullable String storedOrNull(List<CrossSigningKeys.KeyRow> stored) {
        return stored.stream()
                .filter(key -> key.usage() == Usage.MASTER)
                .map(CrossSigningKeys.KeyRow::publicKey)
                .findFirst()
                .orElse(null);
    }
}
