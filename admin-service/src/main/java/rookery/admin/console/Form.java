// SPDX-License-Identifier: Apache-2.0
package rookery.admin.console;

import io.netty.handler.codec.http.QueryStringDecoder;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.platform.tenant.Tenants;

/** The fields of a form that a browser has sent. {@link ConsoleFilter} has checked where the form came from. */
record Form(Map<String, List<String>> fields) {
    static final String ATTRIBUTE = Form.class.getName();

    /** The largest form in bytes. */
    static final int BYTES_MAX = 64 << 10;

    private static final String TOKEN = "form_token";
    private static final int FIELDS_MAX = 100;
    private static final Set<String> FETCHED_BY_US = Set.of("same-origin", "none");

    static Form of(byte[] body) {
        var text = new String(body, StandardCharsets.UTF_8);
        try {
            return new Form(new QueryStringDecoder(text, StandardCharsets.UTF_8, false, FIELDS_MAX, true).parameters());
        } catch (IllegalArgumentException e) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "the form is not properly encoded");
        }
    }

    /**
     * M_FORBIDDEN for a form that a page of another site has sent. Browsers name the origin of each form; Sec-Fetch-Site is there only
     * with TLS and on localhost.
     *
     * @param host the Host header of the browser
     */
    static void requireOwnPage(HttpHeaders headers, @Nullable String host) {
        var site = headers.getFirst("Sec-Fetch-Site");
        var origin = headers.getOrigin();
        boolean isOurs = (site == null || FETCHED_BY_US.contains(site))
                && (origin == null || host(origin).equals(Tenants.canonical(host == null ? "" : host)));
        if (!isOurs) {
            throw new ApiException(ErrorCode.M_FORBIDDEN, "this form was sent by a page of another site");
        }
    }

    private static String host(String origin) {
        try {
            var authority = URI.create(origin).getRawAuthority();
            return authority == null ? "" : Tenants.canonical(authority);
        } catch (IllegalArgumentException _) {
            return "";
        }
    }

    /** M_FORBIDDEN unless the hidden field is that of the session. */
    void requireToken(String ofSession) {
        byte[] sent = text(TOKEN).getBytes(StandardCharsets.UTF_8);
        if (!MessageDigest.isEqual(sent, ofSession.getBytes(StandardCharsets.UTF_8))) {
            throw new ApiException(ErrorCode.M_FORBIDDEN, "this form is not of your session: open its page again");
        }
    }

    /** The value of a field without surrounding spaces; empty if the field is absent. */
    String text(String field) {
        return raw(field).strip();
    }

    /** The value of a field as typed, such as a password; empty if the field is absent. */
    String raw(String field) {
        return fields.getOrDefault(field, List.of("")).getFirst().replace('\0', '\uFFFD');
    }

    /** M_INVALID_PARAM unless the field is a number. */
    int number(String field) {
        try {
            return Integer.parseInt(text(field));
        } catch (NumberFormatException _) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, field + " is a number");
        }
    }

    /** Whether a box is checked. */
    boolean isChecked(String field) {
        return !text(field).isEmpty();
    }

    @Override
    public String toString() {
        return fields.keySet().toString(); // without passwords
    }
}
