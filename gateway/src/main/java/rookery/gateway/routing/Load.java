// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.routing;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpMethod;
import rookery.gateway.routing.Destination.Kind;
import rookery.gateway.routing.Destination.Service;

/** The expected cost of answering a request. */
public enum Load {
    LIGHT,
    /** a file, which may be read slowly */
    DOWNLOAD,
    /** possibly many events, rooms, members or keys */
    READ;

    private static final List<String> WITH_PASSWORDS = List.of(
            "/v3/login", "/v3/register", "/v3/account/password", "/v3/account/deactivate", "/v3/delete_devices");

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

    /** Whether a request costs many times a usual one: a password's hash, a file, or a large answer. */
    public static boolean isCostly(HttpMethod method, Service service, @Nullable String query) {
        return service.kind() == Kind.UPLOAD
                || of(method, service.kind(), query) == READ
                || (method.equals(HttpMethod.POST) && WITH_PASSWORDS.stream().anyMatch(service.path()::endsWith));
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
