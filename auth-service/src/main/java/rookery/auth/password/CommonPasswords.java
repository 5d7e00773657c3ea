// SPDX-License-Identifier: Apache-2.0
package rookery.auth.password;

import com.nulabinc.zxcvbn.StandardDictionaries;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** The 10,000 most common passwords of published leaks, which attackers try first. */
final class CommonPasswords {
    private static final int COUNT = 10_000;

    /** In lower case, without passwords below the minimum length. */
    private static final Set<String> ALL = load();

    private CommonPasswords() {}

    static boolean contain(String password) {
        return ALL.contains(password.toLowerCase(Locale.ROOT));
    }

    private static Set<String> load() {
        try {
            return StandardDictionaries.PASSWORDS_LOADER.load().getFrequencies().stream()
                    .limit(COUNT)
                    .filter(password -> password.length() >= PasswordRules.BYTES_MIN)
                    .collect(Collectors.toUnmodifiableSet());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
