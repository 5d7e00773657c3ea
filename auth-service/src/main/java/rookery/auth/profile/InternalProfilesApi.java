package rookery.auth.profile;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.json.JsonText;

/** Profiles for the other services: room-service asks before joins and invites. Unknown and deactivated users are absent. */
@RestController
class InternalProfilesApi {
    private final Profiles profiles;

    InternalProfilesApi(Profiles profiles) {
        this.profiles = profiles;
    }

    @PostMapping("/internal/profiles")
    Mono<Answer> profiles(@RequestBody Question question) {
        return profiles.of(question.tenant, question.users).map(Answer::of);
    }

    record Question(TenantId tenant, List<UserId> users) {}

    /** Fields by name, by user id. */
    record Answer(@JsonProperty("profiles") Map<String, Map<String, JsonText>> byUser) {
        static Answer of(Map<UserId, Map<String, JsonText>> profiles) {
            var byUser = new java.util.LinkedHashMap<String, Map<String, JsonText>>();
            profiles.forEach((user, fields) -> byUser.put(user.value(), fields));
            return new Answer(byUser);
        }
    }
}
