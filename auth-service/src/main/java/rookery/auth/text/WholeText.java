// SPDX-License-Identifier: Apache-2.0
package rookery.auth.text;

import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import tools.jackson.databind.json.JsonMapper;

/** Text without unpaired surrogates; stored as JSON, because PostgreSQL's text has no U+0000 (contract.md 2.1). */
public final class WholeText {
    private static final JsonMapper JSON = JsonMapper.shared();

    private WholeText() {}

    /** The unchanged text; M_BAD_JSON for an unpaired surrogate, which UTF-8 cannot encode. */
    public static String of(String text, String what) {
        if (text.codePoints().anyMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE)) {
            throw new ApiException(ErrorCode.M_BAD_JSON, what + " contains an unpaired surrogate");
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
