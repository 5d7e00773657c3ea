// SPDX-License-Identifier: Apache-2.0
package rookery.auth.session;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.HexFormat;
import java.util.regex.Pattern;
import rookery.model.crypto.Sha256;
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
        return new TokenHash(Sha256.hex(token));
    }

    static TokenHash ofBytes(byte[] digest) {
        return new TokenHash(HexFormat.of().formatHex(digest));
    }

    public byte[] bytes() {
        return HexFormat.of().parseHex(hex);
    }
}
