package rookery.e2e.api;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** Paths with ids in them. */
public final class Paths {
    private Paths() {}

    /** As a part of a path or the value of a parameter. */
    public static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** Such as {@code /v3/rooms/!abc:localhost/invite}. */
    public static String room(String roomId, String rest) {
        return "/v3/rooms/" + encoded(roomId) + rest;
    }
}
