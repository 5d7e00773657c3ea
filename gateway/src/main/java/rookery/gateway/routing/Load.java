// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.routing;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpMethod;
import rookery.gateway.routing.Destination.Kind;

/** The expected cost of answering a request. */
public enum Load {
    LIGHT,
    /** a file, which may be read slowly */
    DOWNLOAD,
    /** possibly many events, rooms, members or keys */
    READ;

    /** The load of a request with this query. */
    public static Load of(HttpMethod method, Kind kind, @Nullable String query) {
        if (method.equals(HttpMethod.PUT) || method.equals(HttpMethod.DELETE)) {
            return LIGHT;
        }
        return switch (kind) {
            case DOWNLOAD -> DOWNLOAD;
            case HEAVY -> READ;
            // an answer of sliding sync, which is a POST, has a hundred rooms at most
            case LONG_POLL -> method.equals(HttpMethod.GET) && isWhole(query) ? READ : LIGHT;
            case REQUEST, USERINFO, MEDIA, UPLOAD -> LIGHT;
        };
    }

    /** Whether a sync is a full sync: without a token, or with full_state. */
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
