// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.routing;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import rookery.gateway.routing.Destination.Kind;
import rookery.gateway.routing.Destination.Nowhere;
import rookery.gateway.routing.Destination.Own;
import rookery.gateway.routing.Destination.Service;
import rookery.model.caller.Caller.Prefix;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;

/**
 * Maps paths to services. A path is split at {@code /} before decoding, as in the services. A path that two implementations could
 * interpret differently (dots, empty parts, {@code ;}) has no destination.
 */
public final class PathTable {
    private static final String FRONT_PAGE = "/";
    private static final String PREFIX = "/_api/client/";
    private static final String STANDARD_PREFIX = "/_matrix/client/"; // for existing Matrix clients (contract.md D1)
    private static final String MEDIA_PREFIX = "/_api/media/";
    private static final String STANDARD_MEDIA_PREFIX = "/_matrix/media/";
    private static final String SYNAPSE_PREFIX = "/_synapse/admin/"; // for existing tools (contract.md 5.7)
    /** The name of v3 before Matrix 1.1, which old clients still use. */
    private static final String OLD_VERSION = "r0/";

    /**
     * Clients delete account data only under this name, because the proposal has not become part of the specification
     * (contract.md 13.2).
     */
    private static final String DELETION = "unstable/org.matrix.msc3391/";

    /** Sliding sync before MSC4186 was merged. */
    private static final String SLIDING_SYNC = "org.matrix.simplified_msc3575";

    private static final String VERSION = "v3/";
    private static final String LEGACY_LOGIN_TOKEN = "/v1/login/get_token"; // contract.md D7
    private static final String DISCOVERY = "/.well-known/matrix/client"; // contract.md 3.5
    private static final String SUPPORT = "/.well-known/matrix/support"; // contract.md 3.5

    /** The only endpoint of the federation API. */
    private static final String USERINFO = "/_matrix/federation/v1/openid/userinfo"; // contract.md 13.10

    /** The pages for administrators, which have their session in a cookie (contract.md 5.8). */
    static final String CONSOLE = "/_rookery/console";

    /** What a proxy asks before it obtains a certificate for a host (contract.md 4). */
    public static final String HOSTS = "/_rookery/hosts";

    private static final String AUTH = "auth-service";
    private static final String ROOM = "room-service";
    private static final String SYNC = "sync-service";
    private static final String DIRECTORY = "directory-service";
    private static final String PUSH = "push-service";
    private static final String ADMIN = "admin-service";

    private static final Nowhere UNKNOWN =
            new Nowhere(new ApiException(ErrorCode.M_UNRECOGNIZED, "there is no such endpoint"));
    private static final Nowhere BADLY_ENCODED =
            new Nowhere(new ApiException(ErrorCode.M_INVALID_PARAM, "the path is not properly percent-encoded UTF-8"));

    private PathTable() {}

    /** The prefix of a path; a path with neither prefix counts as Rookery's own. */
    public static Prefix prefix(String path) {
        return path.startsWith(STANDARD_PREFIX) || path.startsWith(STANDARD_MEDIA_PREFIX)
                ? Prefix.STANDARD
                : Prefix.OWN;
    }

    /** Whether the path is a page of the console; only pages of the console itself may read the answer. */
    public static boolean isConsole(String path) {
        return path.equals(CONSOLE) || path.startsWith(CONSOLE + "/");
    }

    /** The destination of a path with the client's encoding. */
    public static Destination find(String path) {
        if (path.equals(FRONT_PAGE)) {
            return new Own(FRONT_PAGE, true);
        }
        if (path.equals(HOSTS)) {
            return new Own(HOSTS, true);
        }
        if (path.equals(DISCOVERY) || path.equals(SUPPORT)) {
            return new Service(AUTH, path, null, Kind.REQUEST, false);
        }
        if (path.equals(USERINFO)) {
            return new Service(AUTH, path, null, Kind.USERINFO, false);
        }
        if (path.equals(CONSOLE) || path.equals(CONSOLE + "/")) {
            return new Service(ADMIN, CONSOLE, null, Kind.REQUEST, false);
        }
        boolean isConsole = isConsole(path);
        String mediaRest = mediaRest(path);
        String rest = isConsole ? path.substring(CONSOLE.length() + 1) : mediaRest == null ? rest(path) : mediaRest;
        if (rest == null || rest.indexOf(';') >= 0) {
            return UNKNOWN;
        }
        String[] raw = rest.split("/", -1);
        boolean slashAtEnd = raw.length > 1 && raw[raw.length - 1].isEmpty();
        int parts = slashAtEnd ? raw.length - 1 : raw.length;
        for (int i = 0; i < parts; i++) {
            String part = PathPart.decoded(raw[i]);
            if (part == null) {
                return BADLY_ENCODED;
            }
            if (part.isEmpty() || part.equals(".") || part.equals("..")) {
                return UNKNOWN;
            }
            raw[i] = part;
        }
        if (path.startsWith(SYNAPSE_PREFIX)) {
            return slashAtEnd ? UNKNOWN : new Service(ADMIN, path, null, Kind.REQUEST, false);
        }
        var decoded = Arrays.asList(raw).subList(0, parts);
        if (isConsole) {
            return slashAtEnd ? UNKNOWN : new Service(ADMIN, path, null, Kind.REQUEST, false);
        }
        if (mediaRest != null) {
            return slashAtEnd ? UNKNOWN : media(decoded, mediaRest);
        }
        return slashAtEnd && !mayEndInSlash(decoded) ? UNKNOWN : destination(decoded, rest);
    }

    private static @Nullable String rest(String path) {
        if (path.startsWith(PREFIX)) {
            return modern(path.substring(PREFIX.length()));
        }
        if (path.startsWith(STANDARD_PREFIX)) {
            return modern(path.substring(STANDARD_PREFIX.length()));
        }
        if (path.startsWith(SYNAPSE_PREFIX)) {
            return path.substring(SYNAPSE_PREFIX.length());
        }
        return path.equals(LEGACY_LOGIN_TOKEN) ? path.substring(1) : null;
    }

    private static @Nullable String mediaRest(String path) {
        if (path.startsWith(MEDIA_PREFIX)) {
            return modern(path.substring(MEDIA_PREFIX.length()));
        }
        return path.startsWith(STANDARD_MEDIA_PREFIX) ? modern(path.substring(STANDARD_MEDIA_PREFIX.length())) : null;
    }

    private static String modern(String rest) {
        if (rest.startsWith(DELETION)) {
            return VERSION + rest.substring(DELETION.length());
        }
        return rest.startsWith(OLD_VERSION) ? VERSION + rest.substring(OLD_VERSION.length()) : rest;
    }

    /** {@code /state/{type}/} has the empty state key, and {@code /pushrules/} is an old spelling (contract.md 2.1). */
    private static boolean mayEndInSlash(List<String> parts) {
        return (parts.size() == 5
                        && parts.get(1).equals("rooms")
                        && parts.get(3).equals("state"))
                || (parts.size() >= 2 && parts.get(1).equals("pushrules"));
    }

    private static Destination destination(List<String> parts, String rest) {
        String first = parts.getFirst();
        if (parts.size() == 1) {
            return switch (first) {
                case "versions" -> new Own(PREFIX + first, false);
                case "health" -> new Own(PREFIX + first, true);
                case "stats" -> new Service(ADMIN, PREFIX + rest, null, Kind.REQUEST, false);
                case "metrics" -> new Service(ADMIN, PREFIX + rest, null, Kind.REQUEST, true);
                default -> UNKNOWN;
            };
        }
        String service = switch (first) {
            case "v3" -> v3(parts);
            case "v1" -> v1(parts);
            case "v4" -> parts.get(1).equals("sync") ? SYNC : null;
            case "unstable" -> unstable(parts);
            default -> null;
        };
        if (service != null) {
            return new Service(service, PREFIX + rest, room(parts), kind(parts), false);
        }
        return first.equals("health")
                        && parts.size() == 2
                        && List.of("live", "ready").contains(parts.get(1))
                ? new Own(PREFIX + first + "/" + parts.get(1), true)
                : UNKNOWN;
    }

    private static Kind kind(List<String> parts) {
        String third = parts.size() > 2 ? parts.get(2) : "";
        boolean heavy = switch (parts.get(1)) {
            case "notifications", "publicRooms", "search" -> true;
            case "room_keys" -> third.equals("keys");
            case "rooms" -> parts.size() > 3 && isHeavyOfRoom(parts);
            case "user_directory" -> third.equals("search");
            default -> false;
        };
        return switch (parts.get(1)) {
            case "sync", SLIDING_SYNC -> Kind.LONG_POLL;
            case "media" -> third.equals("download") ? Kind.DOWNLOAD : Kind.MEDIA;
            default -> heavy ? Kind.HEAVY : Kind.REQUEST;
        };
    }

    private static boolean isHeavyOfRoom(List<String> parts) {
        return switch (parts.get(3)) {
            case "context", "hierarchy", "joined_members", "members", "messages", "relations", "threads" -> true;
            case "state" -> parts.size() == 4; // longer paths name one event
            default -> false;
        };
    }

    /** The destination of a path under a media prefix (contract.md 13.4). */
    private static Destination media(List<String> parts, String rest) {
        if (parts.size() < 2) {
            return UNKNOWN;
        }
        String word = parts.get(0) + "/" + parts.get(1);
        return switch (word) {
            case "v3/upload" -> new Service(ROOM, MEDIA_PREFIX + rest, null, Kind.UPLOAD, false);
            case "v3/download" -> new Service(ROOM, MEDIA_PREFIX + rest, null, Kind.DOWNLOAD, false);
            case "v1/create", "v3/config", "v3/preview_url", "v3/thumbnail" ->
                new Service(ROOM, MEDIA_PREFIX + rest, null, Kind.MEDIA, false);
            default -> UNKNOWN;
        };
    }

    private static @Nullable String v3(List<String> parts) {
        return switch (parts.get(1)) {
            case "account",
                    "auth",
                    "capabilities",
                    "delete_devices",
                    "devices",
                    "login",
                    "logout",
                    "profile",
                    "refresh",
                    "register",
                    "room_keys",
                    "sendToDevice",
                    "thirdparty",
                    "token",
                    "validate",
                    "voip" -> AUTH;
            case "keys" -> parts.size() > 2 && parts.get(2).equals("changes") ? SYNC : AUTH;
            case "user" -> parts.size() > 3 && parts.get(3).equals("filter") ? SYNC : AUTH;
            case "rooms" -> parts.size() == 4 && parts.get(3).equals("aliases") ? DIRECTORY : ROOM;
            case "createRoom", "join", "joined_rooms", "knock", "search", "users" -> ROOM;
            case "filter", "presence", "sync" -> SYNC;
            case "directory", "publicRooms", "user_directory" -> DIRECTORY;
            case "notifications", "pushers", "pushrules" -> PUSH;
            case "admin" -> ADMIN;
            default -> null;
        };
    }

    private static @Nullable String v1(List<String> parts) {
        return switch (parts.get(1)) {
            case "login", "register", "rtc" -> AUTH;
            case "media", "mutual_rooms", "room_summary", "rooms" -> ROOM;
            case "admin" -> ADMIN;
            default -> null;
        };
    }

    /** Unstable names of implemented endpoints, for clients that still use them (contract.md 13.6). */
    private static @Nullable String unstable(List<String> parts) {
        return switch (parts.get(1)) {
            case "im.nheko.summary", "org.matrix.msc4140", "uk.half-shot.msc2666" -> ROOM;
            case "org.matrix.msc4143" -> AUTH;
            case SLIDING_SYNC -> SYNC;
            case "rooms" -> parts.size() > 3 && parts.get(3).equals("relations") ? ROOM : null;
            default -> null;
        };
    }

    /** The room in the path. All requests of a room go to one instance, whose caches are warm. */
    private static @Nullable String room(List<String> parts) {
        if (parts.size() < 3) {
            return null;
        }
        return switch (parts.get(1)) {
            case "rooms" -> parts.get(2);
            case "join", "knock", "room_summary" -> id(parts.get(2));
            case "im.nheko.summary", "org.matrix.msc4140" -> parts.size() > 3 ? id(parts.get(3)) : null;
            default -> null;
        };
    }

    /** Null for an alias. */
    private static @Nullable String id(String roomIdOrAlias) {
        return roomIdOrAlias.startsWith("!") ? roomIdOrAlias : null;
    }
}
