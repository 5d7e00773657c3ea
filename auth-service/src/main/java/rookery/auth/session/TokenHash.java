// SPDX-License-Identifier: Apache-2.0
package rookery.auth.session;

import com.fasterxml.jackson.annotation.JsonValue;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;

/** The SHA-256 of a token in lower-case hex. Tables, caches and logs contain only this hash. */
public record TokenHash(@JsonValue String hex) {
    private static final Pattern GRAMMAR = Pattern.compile("[0-9a-f]{64}");

    public TokenHash {
        if (!GRAMMAR.matcher(hex).matches()) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "a token hash is 64 characters of lower-case hex");
        }
    }

    public static TokenHash of(String token) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
            return ofBytes(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    static TokenHash ofBytes(byte[] digest) {
        return new TokenHash(HexFormat.of().formatHex(digest));
    }

    public byte[] bytes() {
        return HexFormat.of().parseHex(hex);
    }
}
