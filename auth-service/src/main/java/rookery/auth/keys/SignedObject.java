// SPDX-License-Identifier: Apache-2.0
package rookery.auth.keys;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import rookery.model.id.UserId;
import rookery.platform.json.CanonicalJson;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Signed JSON of the Matrix specification: Ed25519 over the canonical JSON of an object without its signatures. Pure. */
final class SignedObject {
    static final String SIGNATURES = "signatures";
    static final String ED25519 = "ed25519:";
    private static final String UNSIGNED = "unsigned";
    private static final JsonMapper JSON = JsonMapper.shared();

    /** The X.509 prefix of the 32 bytes of an Ed25519 public key (RFC 8410). */
    private static final byte[] KEY_HEAD = HexFormat.of().parseHex("302a300506032b6570032100");

    private static final int KEY_BYTES = 32;
    private static final int SIGNATURE_BYTES = 64;

    private SignedObject() {}

    /** The object without {@code signatures} and {@code unsigned}. */
    static ObjectNode signedPart(ObjectNode object) {
        var part = object.deepCopy();
        part.remove(SIGNATURES);
        part.remove(UNSIGNED);
        return part;
    }

    /** True if two keys as JSON are equal apart from their signatures. Null equals no key. */
    static boolean isSame(String key, @Nullable String stored) {
        return stored != null && (key.equals(stored) || signedPart(key).equals(signedPart(stored)));
    }

    private static JsonNode signedPart(String key) {
        var json = JSON.readTree(key);
        return json instanceof ObjectNode object ? signedPart(object) : json;
    }

    /** The signature by the key, such as {@code ed25519:ABCDEF}, or null. */
    static @Nullable String signature(ObjectNode object, UserId signer, String key) {
        var signature = object.path(SIGNATURES).path(signer.value()).path(key);
        return signature.isString() ? signature.stringValue() : null;
    }

    /** Adds a signature to the object. */
    static void sign(ObjectNode object, UserId signer, String key, String signature) {
        child(child(object, SIGNATURES), signer.value()).put(key, signature);
    }

    private static ObjectNode child(ObjectNode object, String field) {
        return object.get(field) instanceof ObjectNode there ? there : object.putObject(field);
    }

    /**
     * True if the signature is valid for the signed part of the object.
     *
     * @param publicKey base64 without padding
     * @param signature base64 without padding; null is invalid
     */
    static boolean isSigned(ObjectNode object, String publicKey, @Nullable String signature) {
        byte[] key = bytes(publicKey, KEY_BYTES);
        byte[] sign = signature == null ? null : bytes(signature, SIGNATURE_BYTES);
        return key != null && sign != null && isSigned(CanonicalJson.write(signedPart(object)), key, sign);
    }

    private static boolean isSigned(String text, byte[] key, byte[] signature) {
        byte[] encoded = new byte[KEY_HEAD.length + KEY_BYTES];
        System.arraycopy(KEY_HEAD, 0, encoded, 0, KEY_HEAD.length);
        System.arraycopy(key, 0, encoded, KEY_HEAD.length, KEY_BYTES);
        try {
            var verifier = Signature.getInstance("Ed25519");
            verifier.initVerify(KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(encoded)));
            verifier.update(text.getBytes(StandardCharsets.UTF_8));
            return verifier.verify(signature);
        } catch (GeneralSecurityException _) {
            return false; // for example, a key that is not a point of the curve
        }
    }

    /** True if the text is a well-formed public key. */
    static boolean isKey(@Nullable JsonNode text) {
        return text != null && text.isString() && bytes(text.stringValue(), KEY_BYTES) != null;
    }

    private static byte @Nullable [] bytes(String base64, int length) {
        try {
            byte[] bytes = Base64.getDecoder().decode(base64);
            return bytes.length == length ? bytes : null;
        } catch (IllegalArgumentException _) {
            return null;
        }
    }
}
