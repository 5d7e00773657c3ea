// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.routing;

import org.jspecify.annotations.Nullable;
import rookery.model.error.ApiException;

/** The destination of a path. */
public sealed interface Destination {
    /** The gateway itself; {@code path} is the plain form of the path, such as {@code /_api/client/versions}. */
    record Own(String path, boolean onAnyHost) implements Destination {}

    /**
     * A service, such as {@code room-service}.
     *
     * @param path the path for the service, with the client's encoding
     * @param key selects the instance: the room of a room's path, or null for the user
     */
    record Service(String service, String path, @Nullable String key, Kind kind, boolean onAnyHost)
            implements Destination {
        /** Whether the path is a page of the console, which reads its own cookie. */
        public boolean isConsole() {
            return PathTable.isConsole(path);
        }
    }

    /** How the gateway treats requests of a path. */
    enum Kind {
        /** body received completely before forwarding, response timeout as configured */
        REQUEST,
        /** like REQUEST; the answer may be large, see {@link Load} */
        HEAVY,
        /** the query contains an OpenID token, which is no access token and is forwarded */
        USERINFO,
        /** the answer may take up to the long-poll timeout */
        LONG_POLL,
        /** media, routed to the instances for media */
        MEDIA,
        /** like MEDIA; the answer is a file */
        DOWNLOAD,
        /** like MEDIA; the body is streamed, because it may exceed the memory */
        UPLOAD
    }

    /** No destination; the refusal is the answer. */
    record Nowhere(ApiException refusal) implements Destination {
        @Override
        public boolean onAnyHost() {
            return false;
        }
    }

    /** Whether hosts without tenant are answered as well (contract.md, head). */
    boolean onAnyHost();
}
