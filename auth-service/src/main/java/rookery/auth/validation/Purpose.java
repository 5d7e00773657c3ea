// SPDX-License-Identifier: Apache-2.0
package rookery.auth.validation;

import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;

/** The purpose of a validation. A validation for setting a password is not valid for other purposes, and the reverse. */
public enum Purpose {
    REGISTER("register"),
    /** Adding the address to an account. */
    ACCOUNT("account"),
    /** Setting the password of the account that has the address. */
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

    /** True if the validation may add the address to an account. */
    boolean addsToAccounts() {
        return this != PASSWORD;
    }

    /** True if the address serves the purpose: a password needs an address of an account, the other purposes an unused one. */
    boolean fits(boolean inUse) {
        return (this == PASSWORD) == inUse;
    }

    /** The error for an address that does not serve the purpose: M_THREEPID_IN_USE, for passwords M_THREEPID_NOT_FOUND. */
    ApiException misfit() {
        return this == PASSWORD
                ? new ApiException(ErrorCode.M_THREEPID_NOT_FOUND, "no account here has this address")
                : inUse();
    }

    static ApiException inUse() {
        return new ApiException(ErrorCode.M_THREEPID_IN_USE, "an account here has this address already");
    }
}
