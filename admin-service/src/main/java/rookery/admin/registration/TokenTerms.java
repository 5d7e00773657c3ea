// SPDX-License-Identifier: Apache-2.0
package rookery.admin.registration;

import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.platform.http.JsonBody;

/**
 * A new registration token, and what the token is good for (contract.md 5.3).
 *
 * @param text the token, or null for a random one
 * @param uses the number of accounts, or null for any number
 * @param life null for a token that never expires
 * @param grantsAdmin whether the account is an administrator; then there is one use, and an end
 */
public record TokenTerms(
        @Nullable String text,
        @Nullable Integer uses,
        @Nullable Duration life,
        boolean grantsAdmin) {
    private static final Pattern TEXT = Pattern.compile("[A-Za-z0-9._~-]{8,64}");
    private static final Pattern ID = Pattern.compile("[0-9a-f]{16}");
    private static final int USES_MAX = 1_000_000;
    private static final long LIFE_MIN_MILLIS = 1_000;
    private static final long LIFE_MAX_MILLIS = Duration.ofDays(3_650).toMillis();
    private static final Duration USUAL_LIFE = Duration.ofDays(7);

    /** One administrator within seven days. */
    public static final TokenTerms OF_ADMINISTRATOR = new TokenTerms(null, 1, USUAL_LIFE, true);

    /**
     * The fields {@code token}, {@code uses}, {@code expires_in_ms} and {@code grants_admin}, each optional; 0 is no limit. M_BAD_JSON,
     * M_INVALID_PARAM.
     */
    public static TokenTerms of(JsonBody body) {
        var uses = body.optionalInteger("uses");
        var millis = body.optionalInteger("expires_in_ms");
        var terms = new TokenTerms(text(body), uses(uses), life(millis), body.boolOr("grants_admin", false));
        if (terms.grantsAdmin && terms.text != null) {
            throw new ApiException(
                    ErrorCode.M_INVALID_PARAM, "the server makes the text of a token that makes an administrator");
        }
        if (terms.grantsAdmin && (terms.life == null || terms.uses == null || terms.uses > 1)) {
            throw new ApiException(
                    ErrorCode.M_INVALID_PARAM, "a token that makes an administrator has one use, and expires");
        }
        return terms;
    }

    /** The field {@code token}, or null. M_INVALID_PARAM for a text that is easy to guess, or that could be the id of a token. */
    public static @Nullable String text(JsonBody body) {
        var text = body.optionalString("token");
        if (text != null && (!TEXT.matcher(text).matches() || ID.matcher(text).matches())) {
            throw new ApiException(
                    ErrorCode.M_INVALID_PARAM,
                    "token has 8 to 64 characters of A-Z a-z 0-9 . _ ~ -, not only 16 of 0-9 a-f");
        }
        return text;
    }

    @Override
    public String toString() {
        return "TokenTerms"; // without the token
    }

    private static @Nullable Integer uses(@Nullable Long uses) {
        if (uses == null) {
            return 1;
        }
        if (uses < 0 || uses > USES_MAX) {
            throw new ApiException(
                    ErrorCode.M_INVALID_PARAM, "uses is a number from 1 to 1000000, or 0 for any number");
        }
        return uses == 0 ? null : uses.intValue();
    }

    private static @Nullable Duration life(@Nullable Long millis) {
        if (millis == null) {
            return USUAL_LIFE;
        }
        if (millis != 0 && (millis < LIFE_MIN_MILLIS || millis > LIFE_MAX_MILLIS)) {
            throw new ApiException(
                    ErrorCode.M_INVALID_PARAM, "expires_in_ms is at least 1000 and at most ten years, or 0 for never");
        }
        return millis == 0 ? null : Duration.ofMillis(millis);
    }
}
