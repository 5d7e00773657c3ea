// SPDX-License-Identifier: Apache-2.0
package rookery.model.token;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Base64;
import java.util.random.RandomGenerator;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import rookery.model.crypto.HmacSha256;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;

/**
 * Encrypts and authenticates tokens, so a client can neither read nor alter a token, nor use another user's.
 *
 * <p>Each owner has a key derived from the installation's key: a foreign token fails like a damaged one, and random nonces stay
 * unique for as long as the installation runs.
 */
final class TokenSeal {
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;

    private final HmacSha256 keys;
    private final RandomGenerator random;

    TokenSeal(byte[] key, RandomGenerator random) {
        this.keys = new HmacSha256(key);
        this.random = random;
    }

    String seal(char sigil, ByteBuffer content, TokenOwner owner) {
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        try {
            byte[] sealed = cipher(Cipher.ENCRYPT_MODE, nonce, sigil, owner)
                    .doFinal(content.array(), content.arrayOffset() + content.position(), content.remaining());
            byte[] all = Arrays.copyOf(nonce, NONCE_BYTES + sealed.length);
            System.arraycopy(sealed, 0, all, NONCE_BYTES, sealed.length);
            return sigil + Base64.getUrlEncoder().withoutPadding().encodeToString(all);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the content; M_INVALID_PARAM for a damaged or foreign token or any other text. */
    ByteBuffer open(String token, TokenOwner owner) {
        try {
            byte[] all = Base64.getUrlDecoder().decode(token.substring(1));
            boolean isCanonical =
                    Base64.getUrlEncoder().withoutPadding().encodeToString(all).equals(token.substring(1));
            if (all.length < NONCE_BYTES || !isCanonical) { // each token has exactly one spelling
                throw refused();
            }
            byte[] nonce = Arrays.copyOf(all, NONCE_BYTES);
            return ByteBuffer.wrap(cipher(Cipher.DECRYPT_MODE, nonce, token.charAt(0), owner)
                    .doFinal(all, NONCE_BYTES, all.length - NONCE_BYTES));
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw refused();
        }
    }

    static ApiException refused() {
        return new ApiException(ErrorCode.M_INVALID_PARAM, "not a token that this server gave to you");
    }

    private Cipher cipher(int mode, byte[] nonce, char sigil, TokenOwner owner) throws GeneralSecurityException {
        byte[] associated =
                (sigil + "|" + owner.tenant().value() + "|" + owner.user().value()).getBytes(StandardCharsets.UTF_8);
        var cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, new SecretKeySpec(keys.of(associated), "AES"), new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD(associated);
        return cipher;
    }
}
