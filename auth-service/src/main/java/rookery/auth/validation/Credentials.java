// SPDX-License-Identifier: Apache-2.0
package rookery.auth.validation;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.platform.http.JsonBody;

/** The credentials of a validation: its ID, and the secret that the client chose. */
record Credentials(String sid, String clientSecret) {
    private static final Pattern GRAMMAR = Pattern.compile("[0-9a-zA-Z.=_-]{1,255}"); // contract.md 2.5

    static Credentials of(JsonBody fields) {
        return of(fields.optionalString("sid"), fields.optionalString("client_secret"));
    }

    /** M_MISSING_PARAM, M_INVALID_PARAM. */
    static Credentials of(@Nullable String sid, @Nullable String clientSecret) {
        return new Credentials(checked("sid", sid), checked("client_secret", clientSecret));
    }

    /** The object {@code threepid_creds} under the first present of the given names, or null. */
    static @Nullable JsonBody object(JsonBody body, String... names) {
        for (String name : names) {
            var object = body.optionalObject(name);
            if (object != null) {
                return object;
            }
        }
        return null;
    }

    static String checked(String field, @Nullable String value) {
        if (value == null) {
            throw new ApiException(ErrorCode.M_MISSING_PARAM, "the field " + field + " is missing");
        }
        if (!GRAMMAR.matcher(value).matches()) {
            throw new ApiException(
                    ErrorCode.M_INVALID_PARAM, field + " is 1 to 255 letters, digits and characters of . = _ -");
        }
        return value;
    }

    @Override
    public String toString() {
        return "Credentials"; // without the secret
    }
}
