// SPDX-License-Identifier: Apache-2.0
package rookery.auth.interactive;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An operation with user-interactive authentication. A session of one operation is not valid for another.
 *
 * @param text method and path; stored with the session
 * @param fields the request's fields that are kept between the steps
 * @param isFrozen whether the first request fixes the fields; otherwise the latest value wins (contract.md 3.4)
 * @param repeatedAnswer the answer to a repeated request of a finished session, whose first answer may be lost. Null for a
 *     registration and a login token, whose answers differ each time
 * @param charsMax the maximum length of the kept fields
 */
public record Operation(
        String text,
        Set<String> fields,
        boolean isFrozen,
        @Nullable Map<String, String> repeatedAnswer,
        int charsMax) {
    private static final int FEW = 8 << 10;
    private static final int SOME = 64 << 10;
    private static final int MANY = 512 << 10;

    public static final Operation REGISTER = new Operation(
            "POST /v3/register",
            Set.of(
                    "username",
                    "password",
                    "device_id",
                    "initial_device_display_name",
                    "inhibit_login",
                    "refresh_token"),
            false,
            null,
            FEW);
    public static final Operation CHANGE_PASSWORD =
            frozen("POST /v3/account/password", Set.of("new_password", "logout_devices"));
    public static final Operation DEACTIVATE = new Operation(
            "POST /v3/account/deactivate", Set.of("erase"), true, Map.of("id_server_unbind_result", "no-support"), FEW);
    public static final Operation ADD_THREEPID = frozen("POST /v3/account/3pid/add", Set.of("client_secret", "sid"));
    public static final Operation LOGIN_TOKEN = new Operation("POST /v1/login/get_token", Set.of(), true, null, FEW);
    public static final Operation DELETE_DEVICES =
            new Operation("POST /v3/delete_devices", Set.of("devices"), true, Map.of(), MANY);

    public static final Operation DEVICE_SIGNING = new Operation(
            "POST /v3/keys/device_signing/upload",
            Set.of("master_key", "self_signing_key", "user_signing_key"),
            true,
            Map.of(),
            SOME);

    public static Operation deleteDevice(String device) {
        return frozen("DELETE /v3/devices/" + device, Set.of());
    }

    private static Operation frozen(String text, Set<String> fields) {
        return new Operation(text, fields, true, Map.of(), FEW);
    }

    /** True if a repeated request is answered without a new authentication. */
    boolean isRepeatable() {
        return !isFrozen || repeatedAnswer != null;
    }
}
