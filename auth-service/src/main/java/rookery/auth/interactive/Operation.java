package rookery.auth.interactive;

import java.util.Set;

/**
 * A request that must be authenticated step by step; a session of one is worth nothing for another.
 *
 * @param text method and path, as they are stored
 * @param fields of the request, which are kept between its steps
 * @param isFrozen whether the first request decides the fields; else the last word wins (contract.md 3.4)
 * @param charsMax how much of them is kept
 */
public record Operation(String text, Set<String> fields, boolean isFrozen, int charsMax) {
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
            FEW);
    public static final Operation CHANGE_PASSWORD =
            frozen("POST /v3/account/password", Set.of("new_password", "logout_devices"));
    public static final Operation DEACTIVATE = frozen("POST /v3/account/deactivate", Set.of("erase"));
    public static final Operation ADD_THREEPID = frozen("POST /v3/account/3pid/add", Set.of("client_secret", "sid"));
    public static final Operation LOGIN_TOKEN = frozen("POST /v1/login/get_token", Set.of());
    public static final Operation DELETE_DEVICES =
            new Operation("POST /v3/delete_devices", Set.of("devices"), true, MANY);

    public static final Operation DEVICE_SIGNING = new Operation(
            "POST /v3/keys/device_signing/upload",
            Set.of("master_key", "self_signing_key", "user_signing_key"),
            true,
            SOME);

    public static Operation deleteDevice(String device) {
        return frozen("DELETE /v3/devices/" + device, Set.of());
    }

    private static Operation frozen(String text, Set<String> fields) {
        return new Operation(text, fields, true, FEW);
    }
}
