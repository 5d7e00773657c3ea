package rookery.gateway.routing;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpMethod;
import rookery.gateway.routing.Destination.Kind;

/** What a request costs while it is answered, as far as it is known before. */
public enum Load {
    LIGHT,
    /** of a file, which may be read slowly */
    DOWNLOAD,
    /** whose answer may be many events, rooms, members or keys */
    READ;

    /**
     * The load of a request.
     *
     * @param query as the client sent it, or null
     */
    public static Load of(HttpMethod method, Kind kind, @Nullable String query) {
        if (method.equals(HttpMethod.PUT) || method.equals(HttpMethod.DELETE)) {
            return LIGHT;
        }
        return switch (kind) {
            case DOWNLOAD -> DOWNLOAD;
            case HEAVY -> READ;
            case LONG_POLL -> isWhole(query) ? READ : LIGHT;
            case REQUEST, USERINFO, MEDIA, UPLOAD -> LIGHT;
        };
    }

    /** Whether a sync is answered with all that its user has: without a token, or with the states of all rooms. */
    private static boolean isWhole(@Nullable String query) {
        boolean since = false;
        for (String parameter : query == null ? new String[0] : query.split("&")) {
            since |= parameter.startsWith("since=") && parameter.length() > "since=".length();
            if (parameter.equals("full_state=true")) {
                return true;
            }
        }
        return !since;
    }
}
