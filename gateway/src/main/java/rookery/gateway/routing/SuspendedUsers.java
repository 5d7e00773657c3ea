// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.routing;

import java.util.List;
import org.springframework.http.HttpMethod;

/**
 * The requests permitted to a suspended user (contract.md 5.5): reads, and the list here. Services check two of them further: a
 * redaction must be of the user's own event, a to-device message must be for the user's own devices.
 */
public final class SuspendedUsers {
    private static final String PREFIX = "/_api/client/";
    /** Matches one path part, or the rest of a part. */
    private static final String ANY = "*";

    private static final List<String> PERMITTED = List.of(
            // sessions
            "POST v3/login",
            "POST v1/login/get_token",
            "POST v3/refresh",
            "POST v3/token/refresh",
            "POST v3/logout",
            "POST v3/logout/all",
            "DELETE v3/devices/*",
            "POST v3/delete_devices",
            "POST v3/account/deactivate",
            // reading
            "POST v3/filter",
            "POST v3/user/*/filter",
            "POST v3/search",
            "POST v3/publicRooms",
            "POST v3/user_directory/search",
            // leaving rooms and redacting own events
            "POST v3/rooms/*/leave",
            "PUT v3/rooms/*/redact/*/*",
            "PUT v3/rooms/*/send/m.room.redaction/*",
            "POST v4/sync",
            "POST unstable/org.matrix.simplified_msc3575/sync",
            // own devices, cross-signing and key backups
            "POST v3/keys/upload",
            "POST v3/keys/query",
            "POST v3/keys/claim",
            "POST v3/keys/device_signing/upload",
            "POST v3/keys/signatures/upload",
            "PUT v3/sendToDevice/*/*",
            "PUT v3/user/*/account_data/m.cross_signing.*",
            "PUT v3/user/*/account_data/m.secret_storage.*",
            "PUT v3/user/*/account_data/m.megolm_backup.v1",
            "POST v3/room_keys/version",
            "PUT v3/room_keys/version/*",
            "DELETE v3/room_keys/version/*",
            "PUT v3/room_keys/keys",
            "PUT v3/room_keys/keys/*",
            "PUT v3/room_keys/keys/*/*",
            "DELETE v3/room_keys/keys",
            "DELETE v3/room_keys/keys/*",
            "DELETE v3/room_keys/keys/*/*");

    private SuspendedUsers() {}

    /** Whether the request is permitted; {@code path} is the path for the service, with the client's encoding. */
    public static boolean mayAsk(HttpMethod method, String path) {
        if (method.equals(HttpMethod.GET) || method.equals(HttpMethod.HEAD)) {
            return true;
        }
        if (!path.startsWith(PREFIX)) {
            return false;
        }
        String[] requested = (method + " " + path.substring(PREFIX.length())).split("/", -1);
        return PERMITTED.stream().anyMatch(permitted -> matches(permitted.split("/", -1), requested));
    }

    private static boolean matches(String[] permitted, String[] requested) {
        if (permitted.length != requested.length) {
            return false;
        }
        for (int i = 0; i < requested.length; i++) {
            boolean same = permitted[i].endsWith(ANY)
                    ? requested[i].startsWith(permitted[i].substring(0, permitted[i].length() - ANY.length()))
                    : requested[i].equals(permitted[i]);
            if (!same) {
                return false;
            }
        }
        return true;
    }
}
