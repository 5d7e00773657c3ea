// SPDX-License-Identifier: Apache-2.0
package rookery.auth.session;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;
import rookery.model.caller.Caller;
import rookery.model.id.DeviceId;
import rookery.model.id.ServerName;
import rookery.model.id.UserId;

/**
 * A session with its tokens in clear, for the answer to its client. The database stores only hashes of the tokens.
 *
 * @param refreshToken null for a session whose access token does not expire (contract.md 1, D3)
 * @param expiresInMs the life of the access token in ms; null without a refresh token
 */
public record Session(
        UserId user,
        DeviceId device,
        String accessToken,
        @Nullable String refreshToken,
        @Nullable Long expiresInMs) {
    /** The answer to the caller's login or registration. */
    public Result result(Caller caller, Discovery discovery) {
        return new Result(
                user, accessToken, device, caller.server(), refreshToken, expiresInMs, discovery.of(caller.tenant()));
    }

    @Override
    public String toString() {
        return user.value() + " " + device.value(); // without the tokens
    }

    /** The session result of contract.md 3.2. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Result(
            @JsonProperty("user_id") UserId user,
            @JsonProperty("access_token") String accessToken,
            @JsonProperty("device_id") DeviceId device,
            @JsonProperty("home_server") ServerName homeServer,
            @JsonProperty("refresh_token") @Nullable String refreshToken,
            @JsonProperty("expires_in_ms") @Nullable Long expiresInMs,
            @JsonProperty("well_known") @Nullable WellKnown wellKnown) {
        @Override
        public String toString() {
            return user.value() + " " + device.value();
        }
    }
}
