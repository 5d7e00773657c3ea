// SPDX-License-Identifier: Apache-2.0
package rookery.auth.profile;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import rookery.auth.text.WholeText;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.platform.http.JsonBody;
import rookery.platform.json.CanonicalJson;
import rookery.platform.json.JsonText;

/** The rules for profile fields (contract.md 2.5, 13.3). Pure. */
final class FieldRules {
    private static final int NAME_CHARS_MAX = 256;
    private static final int KEY_BYTES_MAX = 255;
    private static final int MXC_BYTES_MAX = 255;
    private static final int PROFILE_BYTES_MAX = 65_535;
    private static final Pattern MXC =
            Pattern.compile("mxc://(\\[[0-9a-fA-F:.]+]|[0-9A-Za-z.-]+)(:[0-9]{1,5})?/[A-Za-z0-9_-]+");

    private FieldRules() {}

    static boolean isShownInRooms(String key) {
        return key.equals(Profiles.DISPLAY_NAME) || key.equals(Profiles.AVATAR_URL);
    }

    /**
     * The field's value as JSON; null for an empty display name or avatar, which clears the field. M_MISSING_PARAM, M_BAD_JSON.
     */
    static @Nullable String value(String key, JsonBody body) {
        if (isShownInRooms(key)) {
            String text = WholeText.of(body.string(key), key);
            return text.isEmpty() ? null : WholeText.toJson(text);
        }
        var node = body.json().get(key);
        if (node == null) {
            throw new ApiException(ErrorCode.M_MISSING_PARAM, "the body must contain the field named in the path");
        }
        return CanonicalJson.writeWithFloats(node);
    }

    /** M_KEY_TOO_LARGE above 255 bytes; M_INVALID_PARAM for an empty key or U+0000. */
    static void requireKey(String key) {
        if (key.getBytes(StandardCharsets.UTF_8).length > KEY_BYTES_MAX) {
            throw new ApiException(ErrorCode.M_KEY_TOO_LARGE, "a key has at most " + KEY_BYTES_MAX + " bytes");
        }
        if (key.isEmpty() || key.indexOf('\0') >= 0) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "a key is not empty and contains no U+0000");
        }
    }

    /** M_INVALID_PARAM for a display name that is too long, and for an avatar that is not an mxc URI. */
    static void requireMeaning(String key, JsonBody body) {
        if (key.equals(Profiles.DISPLAY_NAME)) {
            String name = body.string(key);
            if (name.codePointCount(0, name.length()) > NAME_CHARS_MAX) {
                throw new ApiException(
                        ErrorCode.M_INVALID_PARAM, "a display name has at most " + NAME_CHARS_MAX + " characters");
            }
        }
        if (key.equals(Profiles.AVATAR_URL) && !isMedia(body.string(key))) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "an avatar is an mxc:// address of uploaded media");
        }
    }

    private static boolean isMedia(String url) {
        return url.isEmpty()
                || (url.length() <= MXC_BYTES_MAX && MXC.matcher(url).matches());
    }

    /** The profile with the field set, or without the field for null; M_PROFILE_TOO_LARGE from 64 KiB of JSON on. */
    static Map<String, JsonText> changed(Map<String, JsonText> before, String key, @Nullable String json) {
        var after = new LinkedHashMap<>(before);
        if (json == null) {
            after.remove(key);
        } else {
            after.put(key, new JsonText(json));
            requireSize(after);
        }
        return after;
    }

    private static void requireSize(Map<String, JsonText> profile) {
        int bytes = 2;
        for (var field : profile.entrySet()) {
            bytes += WholeText.toJson(field.getKey()).getBytes(StandardCharsets.UTF_8).length
                    + field.getValue().text().getBytes(StandardCharsets.UTF_8).length
                    + 2;
        }
        if (bytes > PROFILE_BYTES_MAX) {
            throw new ApiException(
                    ErrorCode.M_PROFILE_TOO_LARGE, "a profile has less than " + (PROFILE_BYTES_MAX + 1) + " bytes");
        }
    }
}
