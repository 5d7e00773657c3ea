// SPDX-License-Identifier: Apache-2.0
package rookery.auth.openid;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.auth.account.PathUser;
import rookery.auth.device.TenantDevice;
import rookery.auth.session.TokenMinter;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.ServerName;
import rookery.model.id.UserId;
import rookery.platform.http.Access;
import rookery.platform.http.Access.Level;

/**
 * OpenID tokens (contract.md 13.10): a user requests a token for a third party, which resolves the token to the user ID. Errors:
 * M_FORBIDDEN for other users; M_MISSING_TOKEN, M_UNKNOWN_TOKEN.
 */
@RestController
class OpenIdApi {
    private final OpenIdTokens tokens;
    private final TokenMinter minter;

    OpenIdApi(OpenIdTokens tokens, TokenMinter minter) {
        this.tokens = tokens;
        this.minter = minter;
    }

    @PostMapping("/_api/client/v3/user/{userId}/openid/request_token")
    Mono<OpenIdToken> request(Caller caller, @PathVariable PathUser userId) {
        var _ = userId.own(caller);
        String token = minter.openIdToken();
        return tokens.insert(TenantDevice.of(caller), token)
                .thenReturn(new OpenIdToken(token, "Bearer", caller.server(), OpenIdTokens.LIFE.toSeconds()));
    }

    /** Third parties know only this path, which belongs to the federation API. There are no other federation endpoints. */
    @GetMapping("/_matrix/federation/v1/openid/userinfo")
    @Access(Level.NONE)
    Mono<Map<String, UserId>> owner(
            Caller caller, @RequestParam(name = "access_token", required = false) @Nullable String token) {
        if (token == null || token.isEmpty()) {
            throw new ApiException(ErrorCode.M_MISSING_TOKEN, "the parameter access_token is missing");
        }
        return tokens.find(caller.tenant(), token)
                .map(user -> Map.of("sub", user))
                .switchIfEmpty(Mono.error(
                        () -> new ApiException(ErrorCode.M_UNKNOWN_TOKEN, "the token is unknown or has expired")));
    }

    /** The answer in the specification's format. */
    record OpenIdToken(
            @JsonProperty("access_token") String token,
            @JsonProperty("token_type") String type,
            @JsonProperty("matrix_server_name") ServerName server,
            @JsonProperty("expires_in") long expiresInSeconds) {
        @Override
        public String toString() {
            return "OpenIdToken"; // without the token
        }
    }
}
