// SPDX-License-Identifier: Apache-2.0
package rookery.model.id;

import java.nio.charset.StandardCharsets;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;

/** The checks common to all identifiers; a violation is M_INVALID_PARAM. */
final class Ids {
    static final int BYTES_MAX = 255;

    private Ids() {}

    /** Refuses more than 255 bytes of UTF-8, U+0000, which PostgreSQL cannot store, and half a surrogate pair. */
    static void requireText(String value, String what) {
        if (value.length() > BYTES_MAX || value.getBytes(StandardCharsets.UTF_8).length > BYTES_MAX) {
            throw invalid(what + " is longer than " + BYTES_MAX + " bytes");
        }
        if (value.indexOf('\0') >= 0 || hasLoneSurrogate(value)) {
            throw invalid(what + " holds a character that no identifier has");
        }
    }

    /** Returns the part after the first colon; refuses an id without one. */
    static String domain(String value, String what) {
        int colon = value.indexOf(':');
        if (colon < 0 || colon == value.length() - 1) {
            throw invalid(what + " names no server");
        }
        return value.substring(colon + 1);
    }

    static void requireSigil(String value, char sigil, String what) {
        requireText(value, what);
        if (value.isEmpty() || value.charAt(0) != sigil) {
            throw invalid("a " + what + " begins with " + sigil);
        }
    }

    static ApiException invalid(String reason) {
        return new ApiException(ErrorCode.M_INVALID_PARAM, reason);
    }

    private static boolean hasLoneSurrogate(String value) {
        return value.codePoints().anyMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
    }
}
