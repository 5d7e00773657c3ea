package rookery.auth.device;

import rookery.auth.text.WholeText;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;

/** What people call one of their devices: at most 100 characters (CONTRACT.md 2.5). */
public record DeviceName(String value) {
    private static final int CHARS_MAX = 100;

    public DeviceName {
        WholeText.of(value, "the device's name");
        if (value.codePointCount(0, value.length()) > CHARS_MAX) {
            throw new ApiException(
                    ErrorCode.M_INVALID_PARAM, "a device's name has at most " + CHARS_MAX + " characters");
        }
    }
}
