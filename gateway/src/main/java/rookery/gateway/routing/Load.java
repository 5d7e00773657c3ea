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
    UPLOAD,
    /** the hash of a password */
    PASSWORD,
    /** possibly many events, rooms, members or keys */
    READ;

    private static final List<String> WITH_PASSWORDS = List.of(
            "/v3/login",
            "/v3/register",
            "/v3/account/password",
            "/v3/account/deactivate",
            "/v3/delete_devices",
            PathTable.CONSOLE + "/sign-in");

    /** The load of a request with this query. */
    public static Load of(HttpMethod method, Service service, @Nullable String query) {
        if (service.kind() == Kind.UPLOAD) {
            return UPLOAD;
        }
        if (method.equals(HttpMethod.PUT) || method.equals(HttpMethod.DELETE)) {
            return LIGHT;
        }
        return switch (service.kind()) {
            case DOWNLOAD -> DOWNLOAD;
            case HEAVY -> READ;
            // an answer of sliding sync, which is a POST, has a hundred rooms at most
            case LONG_POLL -> method.equals(HttpMethod.GET) && isWhole(query) ? READ : LIGHT;
            case REQUEST -> method.equals(HttpMethod.POST) && mayHavePassword(service.path()) ? PASSWORD : LIGHT;
            case USERINFO, MEDIA, UPLOAD -> LIGHT;
        };
    }

    private static boolean mayHavePassword(String path) {
        return WITH_PASSWORDS.stream().anyMatch(path::endsWith);
    }

    /** Whether the request costs many times a usual one. */
    public boolean isCostly() {
        return this == UPLOAD || this == PASSWORD || this == READ;
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
