package rookery.gateway.routing;

import org.jspecify.annotations.Nullable;
import rookery.model.error.ApiException;

/** Where a path leads. */
public sealed interface Destination {
    /**
     * To the gateway itself.
     *
     * @param path the plain form of its path, such as {@code /_api/client/versions}
     * @param onAnyHost whether it is answered on hosts of no tenant as well
     */
    record Own(String path, boolean onAnyHost) implements Destination {}

    /**
     * To a service.
     *
     * @param service such as {@code room-service}
     * @param path what the service is asked, encoded as it came
     * @param key what decides the instance: the room of a room's path, or null for the user
     * @param kind what is special about it
     * @param onAnyHost as for {@link Own}
     */
    record Service(String service, String path, @Nullable String key, Kind kind, boolean onAnyHost)
            implements Destination {}

    /** What the gateway does about requests of a path. */
    enum Kind {
        /** takes the body in, and awaits the answer for a while */
        REQUEST,
        /** the same, and the answer may be large if it is read: {@link Load} */
        HEAVY,
        /** the query holds an OpenID token, which is no access token and is passed on */
        USERINFO,
        /** the answer may be kept waiting */
        LONG_POLL,
        /** of media: asked of the instances for these */
        MEDIA,
        /** the same, and the answer is a file */
        DOWNLOAD,
        /** of media, and with a body that is sent on while it comes, because it is too large to be held */
        UPLOAD
    }

    /** Nowhere, and how to say so. */
    record Nowhere(ApiException refusal) implements Destination {}

    /** Whether it is answered on hosts of no tenant as well (contract.md, head). */
    default boolean isOnAnyHost() {
        return switch (this) {
            case Own(var _, boolean any) -> any;
            case Service(var _, var _, var _, var _, boolean any) -> any;
            case Nowhere(var _) -> false;
        };
    }
}
