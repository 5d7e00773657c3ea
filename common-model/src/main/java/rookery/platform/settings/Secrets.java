// SPDX-License-Identifier: Apache-2.0
package rookery.platform.settings;

import java.util.regex.Pattern;

/** Hides secrets in printed configuration. */
final class Secrets {
    private static final Pattern NAME =
            Pattern.compile("(.*[.\\[-])?(password|passwords\\..*|secret|keys?(\\[\\d+])?|token"
                    + "|credentials?|login|authorization|jaas\\.config)]?");
    private static final Pattern IN_URL = Pattern.compile("(//[^/@\\s]*:)[^@/\\s]+@");

    private Secrets() {}

    static boolean isSecret(String name) {
        return NAME.matcher(name).matches();
    }

    /** Returns the value, or a placeholder for a secret. */
    static String hidden(String name, String value) {
        if (isSecret(name)) {
            return value.isEmpty() ? "(empty)" : "(hidden)";
        }
        return IN_URL.matcher(value).replaceAll("$1(hidden)@");
    }
}
