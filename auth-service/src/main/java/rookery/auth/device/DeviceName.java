package rookery.auth.device;

import java.util.List;
import org.jspecify.annotations.Nullable;
import rookery.auth.text.WholeText;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;

/** What people call one of their devices: at most 100 characters (contract.md 2.5). */
public record DeviceName(String value) {
    /** The empty name as {@link WholeText} writes it; it counts as no name. */
    static final String NONE = "\"\"";

    private static final int CHARS_MAX = 100;
    private static final String ANY_BROWSER = "Mozilla/";
    /** In this order: most of them claim to be those that come after them. */
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

    /** The name that a login gives to its device: cut, because people cannot change what their client sends. */
    public static DeviceName cut(String value) {
        return new DeviceName(
                value.codePointCount(0, value.length()) <= CHARS_MAX
                        ? value
                        : value.substring(0, value.offsetByCodePoints(0, CHARS_MAX)));
    }

    /** What a device is called whose owner gave it no name, such as "Firefox on Linux"; null if its client says nothing of itself. */
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

    /** The second half of the first pair whose first half stands in the text; empty for none. */
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
