// SPDX-License-Identifier: Apache-2.0
package rookery.room.membership;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.http.ServiceClient;
import rookery.room.inbox.ShownProfile;

/** Fetches profiles for member events from auth-service. */
@Component
public class ProfileClient {
    private final ServiceClient services;

    ProfileClient(ServiceClient services) {
        this.services = services;
    }

    /** Profiles by user id; unknown and deactivated users are absent. */
    public Mono<Map<String, ShownProfile>> find(TenantId tenant, Collection<UserId> users) {
        return find(tenant, users, List.of());
    }

    /** Profiles by user id; M_INVITE_BLOCKED if an invited user blocks invitations (contract.md 8.3). */
    public Mono<Map<String, ShownProfile>> find(TenantId tenant, Collection<UserId> users, Collection<UserId> invited) {
        if (users.isEmpty()) {
            return Mono.just(Map.of());
        }
        var body = new ProfileQuery(tenant, users.stream().map(UserId::value).toList());
        return services.post("auth-service", body.users.getFirst(), "/internal/profiles", body, ProfilesAnswer.class)
                .doOnNext(answer -> answer.requireInvitable(invited))
                .map(ProfilesAnswer::shown);
    }

    record ProfileQuery(TenantId tenant, List<String> users) {}

    record ProfilesAnswer(Map<String, Profile> profiles) {
        void requireInvitable(Collection<UserId> invited) {
            for (var user : invited) {
                var profile = profiles.get(user.value());
                if (profile != null && Boolean.TRUE.equals(profile.blocksInvites)) {
                    throw new ApiException(ErrorCode.M_INVITE_BLOCKED, user + " blocks invitations");
                }
            }
        }

        Map<String, ShownProfile> shown() {
            var shown = new HashMap<String, ShownProfile>();
            profiles.forEach((user, profile) -> shown.put(
                    user, new ShownProfile(profile.epoch, profile.pos, profile.displayname, profile.avatarUrl)));
            return shown;
        }
    }

    record Profile(
            long epoch,
            long pos,
            @Nullable String displayname,
            @JsonProperty("avatar_url") @Nullable String avatarUrl,
            @JsonProperty("blocks_invites") @Nullable Boolean blocksInvites) {}
}
