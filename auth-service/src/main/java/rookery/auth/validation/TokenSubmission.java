// SPDX-License-Identifier: Apache-2.0
package rookery.auth.validation;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.platform.http.JsonBody;
import rookery.platform.json.StrictJson;

/**
 * A submitted token, from a form or a JSON body.
 *
 * @param page whether the form is the one of the confirmation page, so that the answer is a page
 */
record TokenSubmission(
        @Nullable String sid,
        @Nullable String clientSecret,
        @Nullable String token,
        boolean page) {
    private static final int BYTES_MAX = 1 << 20;
    private static final byte FIRST_OF_JSON = '{';

    /**
     * Parses a body. Clients often send a wrong content type, so a JSON object is accepted under any type.
     *
     * @param form whether the content type is that of a form
     * @param html whether the client accepts HTML
     */
    static TokenSubmission of(byte[] bytes, boolean form, boolean html) {
        if (bytes.length > BYTES_MAX) {
            throw new ApiException(ErrorCode.M_TOO_LARGE, "a body here has at most " + BYTES_MAX + " bytes");
        }
        if (form && (bytes.length == 0 || bytes[0] != FIRST_OF_JSON)) {
            var fields = fields(new String(bytes, StandardCharsets.UTF_8));
            return new TokenSubmission(
                    fields.get("sid"),
                    fields.get("client_secret"),
                    fields.get("token"),
                    html || fields.containsKey("page"));
        }
        var json = new JsonBody(StrictJson.object(bytes));
        return new TokenSubmission(
                json.optionalString("sid"), json.optionalString("client_secret"), json.optionalString("token"), false);
    }

    /** M_MISSING_PARAM, M_INVALID_PARAM. */
    Credentials credentials() {
        return Credentials.of(sid, clientSecret);
    }

    /** M_MISSING_PARAM. */
    String requireToken() {
        if (token == null) {
            throw new ApiException(ErrorCode.M_MISSING_PARAM, "the field token is missing");
        }
        return token;
    }

    private static Map<String, String> fields(String form) {
        var fields = new HashMap<String, String>();
        for (String field : form.split("&", -1)) {
            int equals = field.indexOf('=');
            if (equals > 0) {
                fields.put(decoded(field.substring(0, equals)), decoded(field.substring(equals + 1)));
            }
        }
        return fields;
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException _) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "the form is not properly percent-encoded");
        }
    }

    @Override
    public String toString() {
        return "Submitted"; // without its fields, which are all secret
    }
}
