// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.api;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** Builds request paths that contain ids. */
public final class Paths {
    private Paths() {}

    /** Percent-encodes a path segment or a parameter value. */
    public static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** Such as {@code /v3/rooms/!abc:localhost/invite}. */
    public static String room(String roomId, String rest) {
        return "/v3/rooms/" + encoded(roomId) + rest;
    }
}
