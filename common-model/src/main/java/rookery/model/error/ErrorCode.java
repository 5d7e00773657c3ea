// SPDX-License-Identifier: Apache-2.0
package rookery.model.error;

import java.util.Arrays;

/** The errcodes of responses, each with its default status (contract.md 2.4). */
public enum ErrorCode {
    M_NOT_JSON(400),
    M_BAD_JSON(400),
    M_MISSING_PARAM(400),
    M_INVALID_PARAM(400),
    M_INVALID_USERNAME(400),
    M_USER_IN_USE(400),
    M_EXCLUSIVE(400),
    M_WEAK_PASSWORD(400),
    M_ROOM_IN_USE(400),
    M_UNSUPPORTED_ROOM_VERSION(400),
    M_INVALID_ROOM_STATE(400),
    M_BAD_ALIAS(400),
    M_DUPLICATE_ANNOTATION(400),
    M_THREEPID_IN_USE(400),
    M_THREEPID_NOT_FOUND(400),
    M_THREEPID_MEDIUM_NOT_SUPPORTED(400),
    M_TOKEN_INCORRECT(400),
    M_SESSION_EXPIRED(400),
    M_SERVER_NOT_TRUSTED(400),
    M_PROFILE_TOO_LARGE(400),
    M_KEY_TOO_LARGE(400),
    M_INVALID_SIGNATURE(400),
    M_UNKNOWN_POS(400),
    M_MISSING_TOKEN(401),
    M_UNKNOWN_TOKEN(401),
    M_USER_LOCKED(401),
    M_FORBIDDEN(403),
    M_USER_DEACTIVATED(403),
    M_USER_SUSPENDED(403),
    USER_AWAITING_APPROVAL(403, "ORG.MATRIX.MSC3866_USER_AWAITING_APPROVAL"),
    M_GUEST_ACCESS_FORBIDDEN(403),
    M_THREEPID_DENIED(403),
    M_THREEPID_AUTH_FAILED(403),
    M_BAD_STATE(403),
    M_INVITE_BLOCKED(403),
    M_WRONG_ROOM_KEYS_VERSION(403),
    M_RESOURCE_LIMIT_EXCEEDED(403),
    M_NOT_FOUND(404),
    M_UNRECOGNIZED(404),
    M_CANNOT_OVERWRITE_MEDIA(409),
    M_TOO_LARGE(413),
    M_LIMIT_EXCEEDED(429),
    M_UNKNOWN(500),
    M_NOT_YET_UPLOADED(504);

    public final int status;
    /** The errcode on the wire: the name of the constant, unless a proposal's name has dots. */
    public final String text;

    ErrorCode(int status) {
        this.status = status;
        this.text = name();
    }

    ErrorCode(int status, String text) {
        this.status = status;
        this.text = text;
    }

    /** Returns the code with that text, or M_UNKNOWN for a code of a newer release. */
    public static ErrorCode named(String name) {
        return Arrays.stream(values())
                .filter(code -> code.text.equals(name))
                .findFirst()
                .orElse(M_UNKNOWN);
    }
}
