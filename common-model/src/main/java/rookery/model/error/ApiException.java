// SPDX-License-Identifier: Apache-2.0
package rookery.model.error;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The only failure that clients see: an error code, a sentence for the client's developer, and the additions of contract.md. */
public final class ApiException extends RuntimeException {
    public final ErrorCode code;
    public final String reason;
    /** The HTTP status: the code's default, unless contract.md has another for this case. */
    public final int status;
    /** Further keys of the body, such as {@code soft_logout}; their values are JSON scalars. */
    public final transient Map<String, Object> details;
    /** Seconds for the header Retry-After, or null for no header. */
    public final @Nullable Integer retryAfterSeconds;

    public ApiException(ErrorCode code, String reason) {
        this(code, reason, code.status, Map.of(), null);
    }

    private ApiException(
            ErrorCode code,
            String reason,
            int status,
            Map<String, Object> details,
            @Nullable Integer retryAfterSeconds) {
        super(reason, null, false, false); // an expected answer, so no stack trace
        this.code = code;
        this.reason = reason;
        this.status = status;
        this.details = details;
        this.retryAfterSeconds = retryAfterSeconds;
    }

    /** A store or service did not answer: 503, which clients retry and never treat as a refusal. */
    public static ApiException unavailable(String reason) {
        return new ApiException(ErrorCode.M_UNKNOWN, reason).withStatus(503).withRetryAfter(5);
    }

    /** The refusal of a request that suspended accounts may not make (contract.md 5.5). */
    public static ApiException suspended() {
        return new ApiException(
                ErrorCode.M_USER_SUSPENDED,
                "this account is suspended: it may read, leave rooms, redact what it sent, and log out");
    }

    /** The refusal of a session for an account that no administrator has approved yet (contract.md 3.3). */
    public static ApiException awaitingApproval() {
        return new ApiException(
                        ErrorCode.USER_AWAITING_APPROVAL,
                        "this account waits for the approval of an administrator: log in once they have approved it")
                .with("approval_notice_medium", "none");
    }

    /** The refusal of all requests to a tenant that an operator has suspended (contract.md 20). */
    public static ApiException tenantSuspended() {
        return new ApiException(
                ErrorCode.M_USER_SUSPENDED,
                "this server is suspended for everybody: ask the people who run it; nothing is lost");
    }

    public ApiException withStatus(int other) {
        return new ApiException(code, reason, other, details, retryAfterSeconds);
    }

    public ApiException withRetryAfter(int seconds) {
        return new ApiException(code, reason, status, details, seconds);
    }

    public ApiException with(String key, Object value) {
        var more = new LinkedHashMap<>(details);
        more.put(key, value);
        return new ApiException(code, reason, status, more, retryAfterSeconds);
    }
}
