// SPDX-License-Identifier: Apache-2.0
package rookery.auth.keybackup;

import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;

/** A version of a user's key backup; the numbers increase. */
record BackupVersion(TenantId tenant, UserId user, long number) {
    private static final int DIGITS_MAX = 18;

    /** M_NOT_FOUND for a text that is not a version number. */
    static BackupVersion of(TenantId tenant, UserId user, String text) {
        if (text.isEmpty()
                || text.length() > DIGITS_MAX
                || text.chars().anyMatch(c -> c < '0' || c > '9')
                || (text.length() > 1 && text.charAt(0) == '0')) {
            throw unknown();
        }
        return new BackupVersion(tenant, user, Long.parseLong(text));
    }

    static ApiException unknown() {
        return new ApiException(ErrorCode.M_NOT_FOUND, "there is no such backup");
    }
}
