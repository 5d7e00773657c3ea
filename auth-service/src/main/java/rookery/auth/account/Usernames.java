// SPDX-License-Identifier: Apache-2.0
package rookery.auth.account;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.ServerName;
import rookery.model.id.UserId;

/** Makes user IDs of user names. A-Z becomes a-z; every other invalid character is an error (contract.md 2.5, 3.3). */
public final class Usernames {
    private static final Pattern GRAMMAR = Pattern.compile("[a-z0-9._=/+-]+");
    private static final int ID_BYTES_MAX = 255;

    private Usernames() {}

    /** The user ID for a new account of this name; M_INVALID_USERNAME for an invalid name. */
    public static UserId checked(String username, ServerName server) {
        String localpart = folded(username);
        String id = "@" + localpart + ":" + server.value();
        if (!GRAMMAR.matcher(localpart).matches() || id.getBytes(StandardCharsets.UTF_8).length > ID_BYTES_MAX) {
            throw new ApiException(
                    ErrorCode.M_INVALID_USERNAME, "a user name is made of a-z 0-9 . _ = - / +, and not too long");
        }
        return new UserId(id);
    }

    /** Folds only A-Z: the case rules of a locale could map the names of two users to the same name. */
    public static String folded(String text) {
        var folded = new StringBuilder(text);
        for (int i = 0; i < folded.length(); i++) {
            char c = folded.charAt(i);
            if (c >= 'A' && c <= 'Z') {
                folded.setCharAt(i, (char) (c + ('a' - 'A')));
            }
        }
        return folded.toString();
    }
}
