// SPDX-License-Identifier: Apache-2.0
package rookery.auth.interactive;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.random.RandomGenerator;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.springframework.stereotype.Component;
import rookery.model.crypto.HmacSha256;
import rookery.model.crypto.Sha256;
import rookery.platform.http.InternalProperties;
import rookery.platform.http.ServiceName;

/**
 * Encrypts a request's fields with a key derived from the session ID. Only the client has the session ID, so a password among the
 * fields cannot be read from the database, even with the installation's key.
 */
@Component
class ParameterSeal {
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;

    private final HmacSha256 keys;
    private final RandomGenerator random;

    ParameterSeal(InternalProperties properties, RandomGenerator random) {
        this.keys = new HmacSha256(properties.derived(ServiceName.AUTH, "interactive"));
        this.random = random;
    }

    byte[] seal(String json, String sessionId) {
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        byte[] sealed = run(Cipher.ENCRYPT_MODE, nonce, json.getBytes(StandardCharsets.UTF_8), sessionId);
        return ByteBuffer.allocate(NONCE_BYTES + sealed.length)
                .put(nonce)
                .put(sealed)
                .array();
    }

    String open(byte[] sealed, String sessionId) {
        byte[] nonce = new byte[NONCE_BYTES];
        byte[] rest = new byte[sealed.length - NONCE_BYTES];
        ByteBuffer.wrap(sealed).get(nonce).get(rest);
        return new String(run(Cipher.DECRYPT_MODE, nonce, rest, sessionId), StandardCharsets.UTF_8);
    }

    /** The SHA-256 of the session ID; stored in place of the ID. */
    static byte[] hash(String sessionId) {
        return Sha256.of(sessionId);
    }

    private byte[] run(int mode, byte[] nonce, byte[] content, String sessionId) {
        try {
            byte[] sessionKey = keys.of(sessionId);
            var cipher = Cipher.getInstance("AES/GCM/NoPadding");
            cipher.init(mode, new SecretKeySpec(sessionKey, "AES"), new GCMParameterSpec(TAG_BITS, nonce));
            return cipher.doFinal(content);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e); // impossible: the row was found by the hash of this ID
        }
    }
}
