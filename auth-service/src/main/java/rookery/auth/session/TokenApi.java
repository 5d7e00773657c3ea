// SPDX-License-Identifier: Apache-2.0
package rookery.auth.session;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.auth.device.DeviceConnections.Connection;
import rookery.auth.session.TokenResolver.Expired;
import rookery.auth.session.TokenResolver.Known;
import rookery.auth.session.TokenResolver.Locked;
import rookery.auth.session.TokenResolver.Resolution;
import rookery.auth.session.TokenResolver.Unknown;
import rookery.model.id.DeviceId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.http.Callers;
import rookery.platform.http.ServiceName;

/**
 * Resolves tokens for the gateway, which caches an answer for ten seconds, or for five minutes under a lease (decision 0028), and
 * for each page of the console (contract.md 5.8).
 */
@RestController
class TokenApi {
    private final TokenResolver resolver;

    TokenApi(TokenResolver resolver) {
        this.resolver = resolver;
    }

    @Callers({ServiceName.GATEWAY, ServiceName.ADMIN})
    @PostMapping("/internal/tokens/resolve")
    Mono<ResolveAnswer> resolve(@RequestBody ResolveRequest request) {
        return resolver.resolve(request.tenant, request.token, request.from()).map(TokenApi::answer);
    }

    private static ResolveAnswer answer(Resolution resolution) {
        return switch (resolution) {
            case Known(var user, var device, var admin, var suspended, var left) ->
                new ResolveAnswer(
                        "known", user, device, admin, suspended ? true : null, left == null ? null : left.toMillis());
            case Locked(var user, var device) -> new ResolveAnswer("locked", user, device, null, null, null);
            case Expired() -> new ResolveAnswer("expired", null, null, null, null, null);
            case Unknown() -> new ResolveAnswer("unknown", null, null, null, null, null);
        };
    }

    /**
     * Address and User-Agent of the client are optional.
     *
     * @param ip the client's address, for whois and the list of devices
     */
    record ResolveRequest(
            TenantId tenant,
            @JsonProperty("token_hash") TokenHash token,
            @Nullable String ip,
            @JsonProperty("user_agent") @Nullable String userAgent) {
        @Nullable
        Connection from() {
            return ip == null || ip.isEmpty() ? null : Connection.of(ip, userAgent);
        }
    }

    /**
     * The state is {@code known}, {@code locked}, {@code expired} or {@code unknown}; user and device belong to the first two.
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record ResolveAnswer(
            String state,
            @Nullable UserId user,
            @Nullable DeviceId device,
            @Nullable Boolean admin,
            @Nullable Boolean suspended,
            @Nullable @JsonProperty("expires_in_ms") Long expiresInMs) {}
}
