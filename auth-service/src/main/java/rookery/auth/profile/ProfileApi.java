package rookery.auth.profile;

import java.util.List;
import java.util.Map;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.UserId;
import rookery.platform.http.Access;
import rookery.platform.http.Access.Level;
import rookery.platform.json.JsonText;

/** Reading profiles (CONTRACT.md 13.3). M_NOT_FOUND for users who do not exist or were deactivated, and for fields that are not set. */
@RestController
@Access(Level.NONE)
class ProfileApi {
    private final Profiles profiles;

    ProfileApi(Profiles profiles) {
        this.profiles = profiles;
    }

    @GetMapping("/_api/client/v3/profile/{userId}")
    Mono<Map<String, JsonText>> profile(Caller caller, @PathVariable UserId userId) {
        return profiles.of(caller.tenant(), List.of(userId))
                .mapNotNull(found -> found.get(userId))
                .switchIfEmpty(Mono.error(() -> notFound("there is no such user")));
    }

    @GetMapping("/_api/client/v3/profile/{userId}/displayname")
    Mono<Map<String, JsonText>> displayName(Caller caller, @PathVariable UserId userId) {
        return field(caller, userId, Profiles.DISPLAY_NAME);
    }

    @GetMapping("/_api/client/v3/profile/{userId}/avatar_url")
    Mono<Map<String, JsonText>> avatar(Caller caller, @PathVariable UserId userId) {
        return field(caller, userId, Profiles.AVATAR_URL);
    }

    private Mono<Map<String, JsonText>> field(Caller caller, UserId user, String name) {
        return profile(caller, user)
                .mapNotNull(profile -> profile.get(name))
                .map(value -> Map.of(name, value))
                .switchIfEmpty(Mono.error(() -> notFound("this is not set")));
    }

    private static ApiException notFound(String reason) {
        return new ApiException(ErrorCode.M_NOT_FOUND, reason);
    }
}
