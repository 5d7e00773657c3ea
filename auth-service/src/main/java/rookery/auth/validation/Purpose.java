package rookery.auth.validation;

import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;

/** What an address is validated for; a validation for one is worth nothing for another where it matters. */
public enum Purpose {
    REGISTER("register"),
    /** adding it to an account */
    ACCOUNT("account"),
    /** setting the password of the account that has it */
    PASSWORD("password");

    final String text;

    Purpose(String text) {
        this.text = text;
    }

    static Purpose of(String text) {
        for (var purpose : values()) {
            if (purpose.text.equals(text)) {
                return purpose;
            }
        }
        throw new IllegalArgumentException("no such purpose");
    }

    /** Whether an account may be given the address. */
    boolean addsToAccounts() {
        return this != PASSWORD;
    }

    /** Whether an address serves the purpose: passwords are set by one that an account has, all else is for the others. */
    boolean fits(boolean inUse) {
        return (this == PASSWORD) == inUse;
    }

    /** M_THREEPID_IN_USE, or for passwords M_THREEPID_NOT_FOUND, for an address that does not serve it. */
    ApiException misfit() {
        return this == PASSWORD
                ? new ApiException(ErrorCode.M_THREEPID_NOT_FOUND, "no account here has this address")
                : inUse();
    }

    static ApiException inUse() {
        return new ApiException(ErrorCode.M_THREEPID_IN_USE, "an account here has this address already");
    }
}
