// SPDX-License-Identifier: Apache-2.0
package rookery.auth.keys;

import java.nio.charset.StandardCharsets;
import rookery.auth.text.WholeText;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;

/** The ID of a key, such as {@code signed_curve25519:AAAAHQ}: an algorithm and a name chosen by the device. */
record KeyId(String algorithm, String id) {
    private static final int BYTES_MAX = 255;

    /** M_INVALID_PARAM for an invalid ID. */
    static KeyId of(String text) {
        int colon = text.indexOf(':');
        if (colon <= 0 || colon == text.length() - 1 || !isPlain(text)) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "a key ID is <algorithm>:<id>");
        }
        return new KeyId(text.substring(0, colon), text.substring(colon + 1));
    }

    /** True if the text contains no control characters and is short enough. */
    static boolean isPlain(String text) {
        return WholeText.of(text, "a key's name").chars().noneMatch(Character::isISOControl)
                && text.getBytes(StandardCharsets.UTF_8).length <= BYTES_MAX;
    }

    @Override
    public String toString() {
        return algorithm + ":" + id;
    }
}
