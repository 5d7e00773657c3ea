package rookery.auth.interactive;

import java.util.Set;

/** A request that must be authenticated step by step; a session of one is worth nothing for another. */
public enum Operation {
    /** Its fields may change until the end, the last word wins; all others' are frozen by the first request (CONTRACT.md 3.4). */
    REGISTER(
            "POST /v3/register",
            "username",
            "password",
            "device_id",
            "initial_device_display_name",
            "inhibit_login",
            "refresh_token"),
    ADD_THREEPID("POST /v3/account/3pid/add", "client_secret", "sid");

    /** How it is stored, so never to be changed. */
    final String text;
    /** The fields of the request that are kept between its steps. */
    @SuppressWarnings("ImmutableEnumChecker") // made by Set.of
    final Set<String> fields;

    Operation(String text, String... fields) {
        this.text = text;
        this.fields = Set.of(fields);
    }
}
