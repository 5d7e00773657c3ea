package rookery.room.media;

import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;

/** The id of an uploaded file, which nobody can guess: the part of {@code mxc://server/id} behind the server (contract.md 2.5). */
record MediaId(String value) {
    private static final Pattern GRAMMAR = Pattern.compile("[A-Za-z0-9_-]{1,255}");
    private static final String OPAQUE = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    private static final int OPAQUE_CHARS = 24;

    /** M_NOT_FOUND: there is nothing under what is no id. */
    MediaId {
        if (!GRAMMAR.matcher(value).matches()) {
            throw notFound();
        }
    }

    /** An id that no file has. */
    static MediaId next(RandomGenerator random) {
        var opaque = new StringBuilder();
        for (int i = 0; i < OPAQUE_CHARS; i++) {
            opaque.append(OPAQUE.charAt(random.nextInt(OPAQUE.length())));
        }
        return new MediaId(opaque.toString());
    }

    static ApiException notFound() {
        return new ApiException(ErrorCode.M_NOT_FOUND, "there is no such file");
    }
}
