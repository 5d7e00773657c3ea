// SPDX-License-Identifier: Apache-2.0
package rookery.room.media.preview;

import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;

/** A page cannot be fetched. The cause is hidden from clients, since it would reveal the server's network. */
final class UnreachableException extends RuntimeException {
    UnreachableException() {
        super("the page cannot be fetched", null, false, false);
    }

    /** M_NOT_FOUND with the same message for each cause. */
    static ApiException answer() {
        return new ApiException(ErrorCode.M_NOT_FOUND, "there is no preview: the page cannot be fetched");
    }
}
