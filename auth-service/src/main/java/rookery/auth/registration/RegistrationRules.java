// SPDX-License-Identifier: Apache-2.0
package rookery.auth.registration;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import rookery.auth.account.Usernames;
import rookery.auth.interactive.Flows;
import rookery.auth.interactive.Stage;
import rookery.auth.password.Password;
import rookery.auth.password.PasswordRules;
import rookery.auth.registration.RegistrationProperties.Mode;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.http.JsonBody;

/** The checks of a registration that need no stored data (contract.md 3.3). */
@Component
class RegistrationRules {
    private final RegistrationSettings registrations;

    RegistrationRules(RegistrationSettings registrations) {
        this.registrations = registrations;
    }

    void requireOpen(TenantId tenant) {
        if (registrations.of(tenant).mode() == Mode.CLOSED) {
            throw new ApiException(
                    ErrorCode.M_FORBIDDEN, "registration is closed here, ask an administrator for an account");
        }
    }

    /** Whether an administrator must approve the accounts that people register. */
    boolean needsApproval(TenantId tenant) {
        return registrations.of(tenant).mode() == Mode.APPROVAL;
    }

    /** The tenant's flows. Modes open and approval accept an unlisted registration token, because a token may grant administrator rights. */
    Flows flows(TenantId tenant) {
        var settings = registrations.of(tenant);
        boolean terms = !settings.terms().isEmpty();
        return switch (settings.mode()) {
            case OPEN, APPROVAL -> new Flows(flow(terms, Stage.DUMMY), flow(terms, Stage.REGISTRATION_TOKEN));
            case TOKEN -> new Flows(flow(terms, Stage.REGISTRATION_TOKEN));
            case EMAIL -> new Flows(flow(terms, Stage.EMAIL));
            case TOKEN_EMAIL -> new Flows(flow(terms, Stage.REGISTRATION_TOKEN, Stage.EMAIL));
            case CLOSED -> throw new IllegalStateException("a closed registration has no flows");
        };
    }

    private static List<List<String>> flow(boolean terms, String... stages) {
        var flow = new ArrayList<>(List.of(stages));
        if (terms) {
            flow.add(Stage.TERMS);
        }
        return List.of(flow);
    }

    /** The user ID for the name; M_INVALID_USERNAME, or M_EXCLUSIVE for a reserved name. */
    UserId requireName(String username, Caller caller) {
        var user = Usernames.checked(username, caller.server());
        if (registrations
                .of(caller.tenant())
                .reserved()
                .matcher(user.localpart())
                .matches()) {
            throw new ApiException(ErrorCode.M_EXCLUSIVE, "this user name is reserved");
        }
        return user;
    }

    /** Validates the user name and the password, if present. Returns the user ID, or null if the server generates one. */
    @Nullable
    UserId requireFields(JsonBody body, Caller caller) {
        var _ = body.optionalBool("inhibit_login");
        String username = body.optionalString("username");
        var user = username == null ? null : requireName(username, caller);
        String password = body.optionalString("password");
        if (password != null) {
            PasswordRules.requireStrong(new Password(password), user);
        }
        return user;
    }
}
