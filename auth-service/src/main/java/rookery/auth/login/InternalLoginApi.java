// SPDX-License-Identifier: Apache-2.0
package rookery.auth.login;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Clock;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.auth.device.DeviceName;
import rookery.auth.password.Password;
import rookery.auth.session.SessionRequest.DeviceRequest;
import rookery.model.caller.Caller;
import rookery.model.caller.Caller.Anonymous;
import rookery.model.caller.Caller.Reason;
import rookery.model.id.DeviceId;
import rookery.model.id.ServerName;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.http.Callers;
import rookery.platform.http.ServiceName;

/** Login with a password for the console of admin-service (contract.md 5.8). Errors as for every login (contract.md 3.2). */
@RestController
class InternalLoginApi {
    private final PasswordLogin login;
    private final Clock clock;

    InternalLoginApi(PasswordLogin login, Clock clock) {
        this.login = login;
        this.clock = clock;
    }

    @Callers(ServiceName.ADMIN)
    @PostMapping("/internal/login")
    Mono<LoginAnswer> login(@RequestBody LoginRequest request) {
        var who = LoginIdentifier.typed(request.user, request.server);
        var device = new DeviceRequest(null, DeviceName.cut(request.deviceName), false);
        return login.login(request.caller(clock), who, new Password(request.password), device)
                .map(session -> new LoginAnswer(session.user(), session.device(), session.accessToken()));
    }

    /**
     * A login of a person.
     *
     * @param user the name, user id or mail address that the person typed
     * @param ip the person's address, by which attempts are limited
     */
    record LoginRequest(
            TenantId tenant,
            ServerName server,
            String ip,
            @JsonProperty("request_id") String requestId,
            String user,
            String password,
            @JsonProperty("device_name") String deviceName) {
        Caller caller(Clock clock) {
            return new Caller(tenant, server, new Anonymous(Reason.MISSING), ip, requestId, clock.instant());
        }

        @Override
        public String toString() {
            return tenant.toString(); // without the password
        }
    }

    record LoginAnswer(
            UserId user,
            DeviceId device,
            @JsonProperty("access_token") String accessToken) {
        @Override
        public String toString() {
            return user.value(); // without the token
        }
    }
}
