// SPDX-License-Identifier: Apache-2.0
package rookery.auth.account;

import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.UserId;

/** The user in a path that is only for the same user: M_FORBIDDEN for every other text (contract.md 2.2). */
public record PathUser(String text) {
    /** The caller, if the path names the caller. */
    public UserId own(Caller caller) {
        if (!text.equals(caller.user().value())) {
            throw new ApiException(ErrorCode.M_FORBIDDEN, "this belongs to another user");
        }
        return caller.user();
    }
}
