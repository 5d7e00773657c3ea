// SPDX-License-Identifier: Apache-2.0
package rookery.model.id;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;

/** The unguessable id of an uploaded file: the part of {@code mxc://server/id} behind the server (contract.md 2.5). */
public record MediaId(@JsonValue String value) {
    private static final Pattern GRAMMAR = Pattern.compile("[A-Za-z0-9_-]{1,255}");
    private static final String SCHEME = "mxc://";
    private static final String OPAQUE = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    private static final int OPAQUE_CHARS = 24;

    /** M_NOT_FOUND for text that is not a media id: no file has such an id. */
    public MediaId {
        if (!GRAMMAR.matcher(value).matches()) {
            throw notFound();
        }
    }

    /** Returns a new random id. */
    public static MediaId next(RandomGenerator random) {
        var opaque = new StringBuilder();
        for (int i = 0; i < OPAQUE_CHARS; i++) {
            opaque.append(OPAQUE.charAt(random.nextInt(OPAQUE.length())));
        }
        return new MediaId(opaque.toString());
    }

    /** Returns the id in an mxc URI of the user's server, or null for any other text. */
    public static @Nullable MediaId ofServer(UserId user, String uri) {
        if (!uri.startsWith(SCHEME)) {
            return null;
        }
        String server = user.value().substring(user.value().indexOf(':') + 1);
        int id = SCHEME.length() + server.length() + 1;
        boolean isOfServer = uri.startsWith(server + "/", SCHEME.length());
        return isOfServer && GRAMMAR.matcher(uri.substring(id)).matches() ? new MediaId(uri.substring(id)) : null;
    }

    public static ApiException notFound() {
        return new ApiException(ErrorCode.M_NOT_FOUND, "there is no such file");
    }
}
