// SPDX-License-Identifier: Apache-2.0
package rookery.admin.synapse;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import rookery.admin.user.AccountClient.NewPassword;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.platform.http.JsonBody;
import tools.jackson.databind.node.ObjectNode;

/**
 * A change of an account as tools send it: often the whole account as the tool has read it, with one changed field. A null field
 * changes nothing. No I/O.
 */
record UserChange(
        @Nullable NewPassword password,
        @Nullable String displayName,
        @Nullable String avatarUrl,
        @Nullable Boolean admin,
        @Nullable Boolean locked,
        @Nullable Boolean deactivated,
        @Nullable Boolean approved) {

    /** A change of one field. */
    sealed interface Step {}

    record SetProfile(String key, String value) implements Step {}

    record SetPassword(NewPassword password) implements Step {}

    record SetAdmin(boolean admin) implements Step {}

    record SetLocked(boolean locked) implements Step {}

    record Deactivate() implements Step {}

    record Approve() implements Step {}

    /** M_BAD_JSON; M_INVALID_PARAM for addresses, identities of other providers, and types of users, which cannot be set. */
    static UserChange of(JsonBody body) {
        requireNone(body, "threepids", "an address belongs to an account only after its owner has proven it");
        requireNone(body, "external_ids", "there are no other providers of identities");
        var type = body.optionalString("user_type");
        if (type != null && !type.isEmpty()) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "there are no types of users");
        }
        var password = body.optionalString("password");
        return new UserChange(
                password == null ? null : new NewPassword(password, body.boolOr("logout_devices", true)),
                body.optionalString("displayname"),
                body.optionalString("avatar_url"),
                body.optionalBool("admin"),
                body.optionalBool("locked"),
                body.optionalBool("deactivated"),
                body.optionalBool("approved"));
    }

    private static void requireNone(JsonBody body, String field, String reason) {
        if (!body.objects(field).isEmpty()) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, field + ": " + reason);
        }
    }

    /** The change of an account that was created with its password. */
    UserChange withoutPassword() {
        return new UserChange(null, displayName, avatarUrl, admin, locked, deactivated, approved);
    }

    /**
     * The differing fields in the order of their changes; M_INVALID_PARAM for activating a deactivated
     * account.
     *
     * @param account as in contract.md 5.2
     */
    List<Step> steps(ObjectNode account) {
        boolean isDeactivated = account.path("deactivated").booleanValue(false);
        if (isDeactivated && Boolean.FALSE.equals(deactivated)) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "a deactivated account cannot be activated again");
        }
        var steps = new ArrayList<Step>();
        addProfile(
                steps, "displayname", displayName, account.path("display_name").asString(""));
        addProfile(steps, "avatar_url", avatarUrl, account.path("avatar_url").asString(""));
        if (password != null) {
            steps.add(new SetPassword(password));
        }
        boolean isApproved = account.path("approved").booleanValue(true);
        if (isApproved && Boolean.FALSE.equals(approved)) {
            throw new ApiException(
                    ErrorCode.M_INVALID_PARAM, "an approved account stays approved; block or deactivate it");
        }
        if (Boolean.TRUE.equals(approved) && !isApproved) {
            steps.add(new Approve());
        }
        if (admin != null && admin != account.path("admin").booleanValue(false)) {
            steps.add(new SetAdmin(admin));
        }
        if (locked != null && locked != account.path("blocked").booleanValue(false)) {
            steps.add(new SetLocked(locked));
        }
        if (Boolean.TRUE.equals(deactivated) && !isDeactivated) {
            steps.add(new Deactivate());
        }
        return steps;
    }

    private static void addProfile(List<Step> steps, String key, @Nullable String value, String current) {
        if (value != null && !value.equals(current)) {
            steps.add(new SetProfile(key, value));
        }
    }
}
