// SPDX-License-Identifier: Apache-2.0
package rookery.auth.session;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Objects;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;
import rookery.platform.http.Access;
import rookery.platform.http.Access.Level;
import rookery.platform.http.JsonBody;

/** Refreshes a session, on two paths (contract.md 1, D2 and 3.1). Errors: M_UNKNOWN_TOKEN, M_USER_LOCKED, M_MISSING_PARAM. */
@RestController
@Access(Level.NONE)
class RefreshApi {
    private final Refresher refresher;

    RefreshApi(Refresher refresher) {
        this.refresher = refresher;
    }

    /** This path requires the access token of the pair, which may have expired or been replaced. */
    @PostMapping("/_api/client/v3/token/refresh")
    Mono<RefreshAnswer> refreshPair(Caller caller, JsonBody body) {
        var refresh = TokenHash.of(body.string("refresh_token"));
        var access = TokenHash.of(body.string("access_token"));
        return refresher.refresh(caller.tenant(), refresh, access).map(RefreshAnswer::of);
    }

    @PostMapping("/_api/client/v3/refresh")
    Mono<RefreshAnswer> refresh(Caller caller, JsonBody body) {
        var refresh = TokenHash.of(body.string("refresh_token"));
        return refresher.refresh(caller.tenant(), refresh, null).map(RefreshAnswer::of);
    }

    record RefreshAnswer(
            @JsonProperty("access_token") String accessToken,
            @JsonProperty("refresh_token") String refreshToken,
            @JsonProperty("expires_in_ms") long expiresInMs) {
        static RefreshAnswer of(Session session) {
            return new RefreshAnswer(
                    session.accessToken(),
                    Objects.requireNonNull(session.refreshToken()),
                    Objects.requireNonNull(session.expiresInMs()));
        }
    }
}
