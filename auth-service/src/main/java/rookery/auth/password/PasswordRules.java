// SPDX-License-Identifier: Apache-2.0
package rookery.auth.password;

import java.util.Locale;
import org.jspecify.annotations.Nullable;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.UserId;

/** The rules for new passwords (contract.md 3.3). */
public final class PasswordRules {
    static final int BYTES_MIN = 8;

    private PasswordRules() {}

    /**
     * M_WEAK_PASSWORD for a password that is too short, too long, one of the most common, or the user's own name.
     *
     * @param user the future owner, or null if not yet known
     */
    public static void requireStrong(Password password, @Nullable UserId user) {
        if (password.bytes() < BYTES_MIN) {
            throw weak("choose a password of at least " + BYTES_MIN + " characters");
        }
        if (password.isTooLong()) {
            throw weak("choose a shorter password");
        }
        if (CommonPasswords.contain(password.value())) {
            throw weak("choose a less common password: this one is easy to guess");
        }
        if (user != null && names(user, password.value().toLowerCase(Locale.ROOT))) {
            throw weak("choose a password that is not your name");
        }
    }

    private static boolean names(UserId user, String text) {
        return text.equals(user.localpart()) || text.equals(user.value().toLowerCase(Locale.ROOT));
    }

    private static ApiException weak(String reason) {
        return new ApiException(ErrorCode.M_WEAK_PASSWORD, reason);
    }
}
