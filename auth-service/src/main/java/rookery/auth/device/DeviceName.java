// SPDX-License-Identifier: Apache-2.0
package rookery.auth.device;

import java.util.List;
import org.jspecify.annotations.Nullable;
import rookery.auth.text.WholeText;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;

/** The display name of a device: at most 100 characters (contract.md 2.5). */
public record DeviceName(String value) {
    /** The empty name in the encoding of {@link WholeText}; counts as no name. */
    static final String NONE = "\"\"";

    private static final int CHARS_MAX = 100;
    private static final String ANY_BROWSER = "Mozilla/";
    /** In order of precedence: most browsers' User-Agents also contain the tokens of the later entries. */
    private static final List<String> BROWSERS = List.of(
            "Electron/=Desktop client",
            "Edg/=Edge",
            "OPR/=Opera",
            "Firefox/=Firefox",
            "Chrome/=Chrome",
            "Safari/=Safari",
            "Mozilla/=Browser");

    private static final List<String> SYSTEMS =
            List.of("Android=Android", "iPhone=iPhone", "iPad=iPad", "Windows=Windows", "Mac OS=macOS", "Linux=Linux");

    /** The name from a login, truncated instead of refused: people cannot change the name that their client sends. */
    public static DeviceName cut(String value) {
        return new DeviceName(
                value.codePointCount(0, value.length()) <= CHARS_MAX
                        ? value
                        : value.substring(0, value.offsetByCodePoints(0, CHARS_MAX)));
    }

    /** A default name such as "Firefox on Linux"; null for a missing or empty User-Agent. */
    public static @Nullable DeviceName ofUserAgent(@Nullable String userAgent) {
        if (userAgent == null) {
            return null;
        }
        String client = userAgent.startsWith(ANY_BROWSER)
                ? named(BROWSERS, userAgent)
                : userAgent.split("[/ (;]", 2)[0].replaceAll("[^A-Za-z0-9 ._-]", "");
        String system = named(SYSTEMS, userAgent);
        String name = system.isEmpty() ? client : client + " on " + system;
        return client.isEmpty() ? null : new DeviceName(name.substring(0, Math.min(name.length(), CHARS_MAX)));
    }

    /** The value of the first pair whose key occurs in the text; empty for no match. */
    private static String named(List<String> pairs, String text) {
        return pairs.stream()
                .map(pair -> pair.split("=", 2))
                .filter(pair -> text.contains(pair[0]))
                .map(pair -> pair[1])
                .findFirst()
                .orElse("");
    }

    public DeviceName {
        WholeText.of(value, "the device's name");
        if (value.codePointCount(0, value.length()) > CHARS_MAX) {
            throw new ApiException(
                    ErrorCode.M_INVALID_PARAM, "a device's name has at most " + CHARS_MAX + " characters");
        }
    }
}
