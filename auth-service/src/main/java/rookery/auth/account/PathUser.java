package rookery.auth.account;

import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.UserId;

/** The user in a path that only that user may ask; in whatever spelling, anybody else is M_FORBIDDEN (contract.md 2.2). */
public record PathUser(String text) {
    /** The caller, who is the user in the path. */
    public UserId own(Caller caller) {
        if (!text.equals(caller.user().value())) {
            throw new ApiException(ErrorCode.M_FORBIDDEN, "this belongs to another user");
        }
        return caller.user();
    }
}
