// SPDX-License-Identifier: Apache-2.0
package rookery.auth.login;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.auth.login.PasswordResetter.Reset;
import rookery.auth.password.Password;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.http.Callers;
import rookery.platform.http.ServiceName;

/** New passwords for admin-service, which has checked the permissions of the administrator or operator. */
@RestController
class InternalPasswordApi {
    private final PasswordResetter passwords;

    InternalPasswordApi(PasswordResetter passwords) {
        this.passwords = passwords;
    }

    @Callers(ServiceName.ADMIN)
    @PostMapping("/internal/admin/password")
    Mono<Map<String, Object>> reset(@RequestBody ResetRequest request) {
        return passwords
                .reset(new Reset(
                        request.tenant,
                        request.user,
                        new Password(request.password),
                        request.logoutDevices,
                        request.by))
                .thenReturn(Map.of());
    }

    /** @param by the administrator, or null for an operator */
    record ResetRequest(
            TenantId tenant,
            UserId user,
            String password,
            @JsonProperty("logout_devices") boolean logoutDevices,
            @Nullable UserId by) {
        @Override
        public String toString() {
            return user.value(); // without the password
        }
    }
}
