// SPDX-License-Identifier: Apache-2.0
package rookery.admin.console;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;
import rookery.model.caller.Caller.Known;
import rookery.model.crypto.Sha256;
import rookery.model.id.DeviceId;
import rookery.model.id.ServerName;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.http.ServiceClient;

/** Client of auth-service for the sessions of the console: a session is a device of the account. */
@Component
class ConsoleSessions {
    private static final String AUTH = "auth-service";
    private static final String DEVICE = "Console";

    private final ServiceClient services;

    ConsoleSessions(ServiceClient services) {
        this.services = services;
    }

    /** Errors of contract.md 3.2, such as M_FORBIDDEN and M_LIMIT_EXCEEDED. */
    Mono<Login> login(Caller visitor, String user, String password) {
        var request = new LoginRequest(
                visitor.tenant(), visitor.server(), visitor.ip(), visitor.requestId(), user, password, DEVICE);
        return services.post(AUTH, user, "/internal/login", request, Login.class);
    }

    /** The visitor as the owner of the token; empty for an unknown or expired token and for a locked account. */
    Mono<Caller> owner(Caller visitor, String accessToken, String userAgent) {
        var question = new Question(visitor.tenant(), Sha256.hex(accessToken), visitor.ip(), userAgent);
        return services.post(AUTH, question.token, "/internal/tokens/resolve", question, Answer.class)
                .mapNotNull(answer -> answer.known())
                .filter(known -> known.user().isOf(visitor.server()))
                .map(visitor::as);
    }

    /** A new session. */
    record Login(
            UserId user,
            DeviceId device,
            @JsonProperty("access_token") String accessToken) {
        @Override
        public String toString() {
            return user.value(); // without the token
        }
    }

    private record LoginRequest(
            TenantId tenant,
            ServerName server,
            String ip,
            @JsonProperty("request_id") String requestId,
            String user,
            String password,
            @JsonProperty("device_name") String deviceName) {
        @Override
        public String toString() {
            return tenant.toString(); // without the password
        }
    }

    private record Question(
            TenantId tenant,
            @JsonProperty("token_hash") String token,
            String ip,
            @JsonProperty("user_agent") String userAgent) {}

    @JsonInclude(JsonInclude.Include.NON_NULL)
    private record Answer(
            String state,
            @Nullable UserId user,
            @Nullable DeviceId device,
            @Nullable Boolean admin) {
        @Nullable
        Known known() {
            return user == null || device == null || !state.equals("known")
                    ? null
                    : new Known(user, device, Boolean.TRUE.equals(admin));
        }
    }
}
