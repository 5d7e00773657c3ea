// SPDX-License-Identifier: Apache-2.0
package rookery.model.crypto;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** HMAC-SHA256 with one key, for any number of threads. The Mac is initialised once and cloned for each use. */
public final class HmacSha256 {
    private static final String ALGORITHM = "HmacSHA256";

    private final Mac ready;

    public HmacSha256(byte[] key) {
        try {
            ready = Mac.getInstance(ALGORITHM);
            ready.init(new SecretKeySpec(key, ALGORITHM));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    public byte[] of(byte[] content) {
        try {
            return ((Mac) ready.clone()).doFinal(content);
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException(e); // the JDK's Mac can be cloned
        }
    }

    /** Returns the 32 bytes of the text in UTF-8. */
    public byte[] of(String content) {
        return of(content.getBytes(StandardCharsets.UTF_8));
    }
}
