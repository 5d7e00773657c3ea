// SPDX-License-Identifier: Apache-2.0
package rookery.auth.profile;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.http.Callers;
import rookery.platform.http.ServiceName;
import rookery.platform.json.JsonText;

/** Profiles for room-service, which reads them before joins and invitations. Unknown and deactivated users are absent. */
@RestController
class InternalProfilesApi {
    private final Profiles profiles;

    InternalProfilesApi(Profiles profiles) {
        this.profiles = profiles;
    }

    @Callers(ServiceName.ROOM)
    @PostMapping("/internal/profiles")
    Mono<ProfilesAnswer> profiles(@RequestBody ProfilesRequest request) {
        return profiles.shown(request.tenant, request.users).map(ProfilesAnswer::of);
    }

    record ProfilesRequest(TenantId tenant, List<UserId> users) {}

    record ProfilesAnswer(@JsonProperty("profiles") Map<String, ProfileAnswer> byUser) {
        static ProfilesAnswer of(List<Profiles.ProfileRow> profiles) {
            var byUser = new LinkedHashMap<String, ProfileAnswer>();
            for (var profile : profiles) {
                byUser.put(
                        profile.user().value(),
                        new ProfileAnswer(
                                profile.displayname(),
                                profile.avatarUrl(),
                                profile.epoch(),
                                profile.pos(),
                                profile.blocksInvites() ? true : null));
            }
            return new ProfilesAnswer(byUser);
        }
    }

    /**
     * The profile of a user as rooms show it.
     *
     * @param epoch of the user log
     * @param pos the position of the last change in the user's shard; 0 if unchanged since registration
     * @param blocksInvites true for a user who blocks invitations, otherwise null
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record ProfileAnswer(
            @Nullable JsonText displayname,
            @JsonProperty("avatar_url") @Nullable JsonText avatarUrl,
            long epoch,
            long pos,
            @JsonProperty("blocks_invites") @Nullable Boolean blocksInvites) {}
}
