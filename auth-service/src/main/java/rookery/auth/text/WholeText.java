package rookery.auth.text;

import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import tools.jackson.databind.json.JsonMapper;

/** Text without half surrogate pairs, and its form in the database: JSON, in which U+0000 survives (contract.md 2.1). */
public final class WholeText {
    private static final JsonMapper JSON = JsonMapper.shared();

    private WholeText() {}

    /** The text itself; M_BAD_JSON for one that no UTF-8 can say. */
    public static String of(String text, String what) {
        if (text.codePoints().anyMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE)) {
            throw new ApiException(ErrorCode.M_BAD_JSON, what + " holds half a surrogate pair");
        }
        return text;
    }

    public static String ofJson(String json) {
        return JSON.readValue(json, String.class);
    }

    public static String toJson(String text) {
        return JSON.writeValueAsString(text);
    }
}
