// SPDX-License-Identifier: Apache-2.0
package rookery.auth.profile;

import java.util.Map;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.auth.account.PathUser;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.UserId;
import rookery.platform.http.Access;
import rookery.platform.http.Access.Level;
import rookery.platform.http.JsonBody;
import rookery.platform.json.JsonText;

/**
 * Profiles (contract.md 13.3). Readable for all, or as {@link ProfileGate} permits; writable for the owner and administrators.
 * M_NOT_FOUND for unknown and deactivated users and for unset fields; M_FORBIDDEN, M_MISSING_PARAM, M_BAD_JSON, M_INVALID_PARAM,
 * M_KEY_TOO_LARGE, M_PROFILE_TOO_LARGE.
 */
@RestController
class ProfileApi {
    private static final String FIELD = "/_api/client/v3/profile/{userId}/{keyName}";

    private final Profiles profiles;
    private final ProfileEditor editor;
    private final ProfileGate gate;

    ProfileApi(Profiles profiles, ProfileEditor editor, ProfileGate gate) {
        this.profiles = profiles;
        this.editor = editor;
        this.gate = gate;
    }

    @GetMapping("/_api/client/v3/profile/{userId}")
    @Access(Level.NONE)
    Mono<Map<String, JsonText>> profile(Caller caller, @PathVariable UserId userId) {
        return gate.requireSight(caller, userId)
                .then(Mono.defer(() -> profiles.find(caller.tenant(), userId)))
                .switchIfEmpty(Mono.error(() -> notFound("there is no such user")));
    }

    @GetMapping(FIELD)
    @Access(Level.NONE)
    Mono<Map<String, JsonText>> field(Caller caller, @PathVariable UserId userId, @PathVariable String keyName) {
        return profile(caller, userId)
                .mapNotNull(profile -> profile.get(keyName))
                .map(value -> Map.of(keyName, value))
                .switchIfEmpty(Mono.error(() -> notFound("this is not set")));
    }

    @PutMapping(FIELD)
    Mono<Map<String, Object>> set(
            Caller caller, @PathVariable PathUser userId, @PathVariable String keyName, JsonBody body) {
        var value = FieldRules.value(keyName, body);
        var user = owned(caller, userId);
        FieldRules.requireKey(keyName);
        FieldRules.requireMeaning(keyName, body);
        return editor.set(caller.tenant(), user, keyName, value).thenReturn(Map.of());
    }

    @DeleteMapping(FIELD)
    Mono<Map<String, Object>> clear(Caller caller, @PathVariable PathUser userId, @PathVariable String keyName) {
        var user = owned(caller, userId);
        FieldRules.requireKey(keyName);
        return editor.set(caller.tenant(), user, keyName, null).thenReturn(Map.of());
    }

    /** The caller; for an administrator, any user of the tenant. */
    private static UserId owned(Caller caller, PathUser userId) {
        var login = caller.known();
        return login != null && login.admin() ? new UserId(userId.text()) : userId.own(caller);
    }

    private static ApiException notFound(String reason) {
        return new ApiException(ErrorCode.M_NOT_FOUND, reason);
    }
}
