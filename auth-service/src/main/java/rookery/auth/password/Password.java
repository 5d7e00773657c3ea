// SPDX-License-Identifier: Apache-2.0
package rookery.auth.password;

import java.nio.charset.StandardCharsets;
import rookery.auth.text.WholeText;

/** A password in clear text. {@code toString} omits the value, because logs must not contain passwords. */
public record Password(String value) {
    private static final int BYTES_MAX = 512;

    public Password {
        WholeText.of(value, "the password");
    }

    /** True above the maximum length: such passwords are never hashed and match no account. */
    boolean isTooLong() {
        return bytes() > BYTES_MAX;
    }

    int bytes() {
        return value.length() > BYTES_MAX ? value.length() : value.getBytes(StandardCharsets.UTF_8).length;
    }

    @Override
    public String toString() {
        return "Password";
    }
}
