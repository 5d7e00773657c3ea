package rookery.room.media.preview;

import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;

/** A page cannot be fetched. Nobody who asks is to see why: that would tell what there is in the network of the server. */
final class UnreachableException extends RuntimeException {
    UnreachableException() {
        super("the page cannot be fetched", null, false, false);
    }

    /** M_NOT_FOUND, the same for each reason. */
    static ApiException answer() {
        return new ApiException(ErrorCode.M_NOT_FOUND, "there is no preview: the page cannot be fetched");
    }
}
