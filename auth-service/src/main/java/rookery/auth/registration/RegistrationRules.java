package rookery.auth.registration;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import rookery.auth.account.Usernames;
import rookery.auth.password.Password;
import rookery.auth.password.PasswordRules;
import rookery.auth.registration.RegistrationProperties.Mode;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.ServerName;
import rookery.model.id.UserId;
import rookery.platform.http.JsonBody;

/** What can be said of a registration without looking anything up (CONTRACT.md 3.3). */
@Component
class RegistrationRules {
    private final RegistrationProperties properties;

    RegistrationRules(RegistrationProperties properties) {
        this.properties = properties;
    }

    void requireOpen() {
        if (properties.mode() == Mode.CLOSED) {
            throw new ApiException(
                    ErrorCode.M_FORBIDDEN, "registration is closed here, ask an administrator for an account");
        }
    }

    /** The id of that name; M_INVALID_USERNAME, or M_EXCLUSIVE for a name that is kept. */
    UserId requireName(String username, ServerName server) {
        var user = Usernames.checked(username, server);
        if (properties.reserved().matcher(user.localpart()).matches()) {
            throw new ApiException(ErrorCode.M_EXCLUSIVE, "this user name is kept for others");
        }
        return user;
    }

    /** Checks what is there of name and password; the name's id, or null if the server shall make one. */
    @Nullable
    UserId requireFields(JsonBody body, ServerName server) {
        String username = body.optionalString("username");
        var user = username == null ? null : requireName(username, server);
        String password = body.optionalString("password");
        if (password != null) {
            PasswordRules.requireStrong(new Password(password), user);
        }
        return user;
    }
}
