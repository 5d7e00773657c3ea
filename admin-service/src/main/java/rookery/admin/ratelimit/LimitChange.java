// SPDX-License-Identifier: Apache-2.0
package rookery.admin.ratelimit;

import java.util.List;
import org.jspecify.annotations.Nullable;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.UserId;
import rookery.platform.http.JsonBody;
import rookery.platform.ratelimit.Cidr;

/** A change of a tenant's rate limit; a null component leaves the value unchanged. */
record LimitChange(
        @Nullable Boolean enabled,
        @Nullable Integer maxRequests,
        @Nullable Integer windowSeconds,
        @Nullable List<String> exemptIps,
        @Nullable Boolean perUser) {
    private static final int REQUESTS_MAX = 1_000_000;
    private static final int WINDOW_MAX = 3_600;
    private static final int NETWORKS_MAX = 1_000;

    /** M_BAD_JSON for other types, M_INVALID_PARAM for numbers out of range and malformed networks. */
    static LimitChange of(JsonBody body) {
        return new LimitChange(
                body.optionalBool("enabled"),
                number(body, "max_requests", REQUESTS_MAX),
                number(body, "window_seconds", WINDOW_MAX),
                body.has("exempt_ips") ? networks(body.strings("exempt_ips")) : null,
                body.optionalBool("per_user"));
    }

    private static @Nullable Integer number(JsonBody body, String field, int most) {
        var number = body.optionalInteger(field);
        if (number != null && (number < 1 || number > most)) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, field + " is from 1 to " + most);
        }
        return number == null ? null : number.intValue();
    }

    private static List<String> networks(List<String> texts) {
        if (texts.size() > NETWORKS_MAX) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "exempt at most " + NETWORKS_MAX + " networks");
        }
        for (String text : texts) {
            try {
                Cidr.parse(text);
            } catch (IllegalArgumentException e) {
                throw new ApiException(
                        ErrorCode.M_INVALID_PARAM, "exempt_ips: write networks like 10.1.0.0/16 or 2001:db8::/32");
            }
        }
        return texts;
    }

    ShownLimit appliedTo(ShownLimit before, long nowMillis, UserId by) {
        return new ShownLimit(
                enabled == null ? before.enabled() : enabled,
                maxRequests == null ? before.maxRequests() : maxRequests,
                windowSeconds == null ? before.windowSeconds() : windowSeconds,
                ShownLimit.SCOPE,
                exemptIps == null ? before.exemptIps() : exemptIps,
                perUser == null ? before.perUser() : perUser,
                nowMillis,
                by);
    }
}
