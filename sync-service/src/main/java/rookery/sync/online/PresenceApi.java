// SPDX-License-Identifier: Apache-2.0
package rookery.sync.online;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.platform.http.JsonBody;
import rookery.sync.presence.PresenceState;

/** {@code /v3/presence/{userId}/status} (contract.md 13.5). */
@RestController
class PresenceApi {
    private static final int MESSAGE_CHARS_MAX = 1000;

    private final PresenceUse presence;

    PresenceApi(PresenceUse presence) {
        this.presence = presence;
    }

    @PutMapping("/_api/client/v3/presence/{userId}/status")
    Mono<Map<String, Object>> set(Caller caller, JsonBody body, @PathVariable String userId) {
        String state = body.string("presence");
        String message = body.optionalString("status_msg");
        if (!PresenceState.ALL.contains(state)) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "presence is online, unavailable or offline");
        }
        if (message != null && message.length() > MESSAGE_CHARS_MAX) {
            throw new ApiException(
                    ErrorCode.M_INVALID_PARAM, "status_msg has at most " + MESSAGE_CHARS_MAX + " characters");
        }
        if (!caller.user().value().equals(userId)) {
            throw new ApiException(ErrorCode.M_FORBIDDEN, "the presence of others is not yours");
        }
        return presence.set(caller, state, message).thenReturn(Map.of());
    }

    @GetMapping("/_api/client/v3/presence/{userId}/status")
    Mono<Status> status(Caller caller, @PathVariable String userId) {
        return presence.status(caller, userId);
    }

    /** The presence of a user; {@code lastActiveAgo} in milliseconds, absent if unknown. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Status(
            String presence,
            @JsonProperty("last_active_ago") @Nullable Long lastActiveAgo,
            @JsonProperty("status_msg") @Nullable String statusMsg,
            @JsonProperty("currently_active") @Nullable Boolean currentlyActive) {}
}
