package rookery.auth.profile;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.auth.account.Accounts;
import rookery.auth.userlog.UserLog;
import rookery.auth.userlog.UserLogDraft;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.model.topic.UserLogRecord.ProfileSet;
import rookery.platform.json.JsonText;
import rookery.platform.log.append.Outcome;
import rookery.platform.log.append.Outcome.Accepted;
import rookery.platform.log.append.Outcome.Refused;
import tools.jackson.databind.json.JsonMapper;

/**
 * Changes profiles. Each change runs under the lock of the user's shard, so changes of a profile are serialized. A change of the
 * display name or the avatar appends an entry, which rooms follow (design.md 2).
 */
@Component
public class ProfileEditor {
    private static final JsonMapper JSON = JsonMapper.shared();

    private final UserLog userLog;
    private final Profiles profiles;
    private final Accounts accounts;

    ProfileEditor(UserLog userLog, Profiles profiles, Accounts accounts) {
        this.userLog = userLog;
        this.profiles = profiles;
        this.accounts = accounts;
    }

    /**
     * Sets a field. M_NOT_FOUND for an unknown or deactivated user, M_PROFILE_TOO_LARGE.
     *
     * @param json the value, or null to clear the field
     */
    Mono<Void> set(TenantId tenant, UserId user, String key, @Nullable String json) {
        return userLog.append(new SetDraft(tenant, user, key, json)).then();
    }

    /** Clears the whole profile, also of a deactivated account. Idempotent. */
    public Mono<Void> erase(TenantId tenant, UserId user) {
        return userLog.append(new EraseDraft(tenant, user)).then();
    }

    private record NoAnswer() {}

    private static final NoAnswer DONE = new NoAnswer();

    private final class SetDraft implements UserLogDraft<NoAnswer> {
        private final TenantId tenant;
        private final UserId user;
        private final String key;
        private final @Nullable String json;

        SetDraft(TenantId tenant, UserId user, String key, @Nullable String json) {
            this.tenant = tenant;
            this.user = user;
            this.key = key;
            this.json = json;
        }

        @Override
        public TenantId tenant() {
            return tenant;
        }

        @Override
        public UserId user() {
            return user;
        }

        @Override
        public Mono<Outcome<NoAnswer>> applied(long pos) {
            return accounts.find(tenant, user)
                    .filter(account -> !account.deactivated())
                    .flatMap(_ -> profiles.fields(tenant, user))
                    .flatMap(before -> changed(before, pos))
                    .defaultIfEmpty(new Refused<>(new ApiException(ErrorCode.M_NOT_FOUND, "there is no such user")));
        }

        private Mono<Outcome<NoAnswer>> changed(Map<String, JsonText> before, long pos) {
            var after = new LinkedHashMap<>(before);
            if (json == null) {
                after.remove(key);
            } else {
                after.put(key, new JsonText(json));
            }
            if (after.equals(before)) {
                return Mono.just(new Accepted<>(List.of(), DONE));
            }
            var refusal = json == null ? null : FieldRules.refusal(after);
            if (refusal != null) {
                return Mono.just(new Refused<>(refusal));
            }
            var written = json == null ? profiles.unset(tenant, user, key) : profiles.set(tenant, user, key, json);
            return FieldRules.isShownInRooms(key)
                    ? written.then(appended(tenant, user, after, pos))
                    : written.thenReturn(new Accepted<>(List.of(), DONE));
        }
    }

    private final class EraseDraft implements UserLogDraft<NoAnswer> {
        private final TenantId tenant;
        private final UserId user;

        EraseDraft(TenantId tenant, UserId user) {
            this.tenant = tenant;
            this.user = user;
        }

        @Override
        public TenantId tenant() {
            return tenant;
        }

        @Override
        public UserId user() {
            return user;
        }

        @Override
        public Mono<Outcome<NoAnswer>> applied(long pos) {
            return profiles.fields(tenant, user).flatMap(before -> cleared(before, pos));
        }

        private Mono<Outcome<NoAnswer>> cleared(Map<String, JsonText> before, long pos) {
            return before.isEmpty()
                    ? Mono.just(new Accepted<>(List.of(), DONE))
                    : profiles.unsetAll(tenant, user).then(appended(tenant, user, Map.of(), pos));
        }
    }

    private Mono<Outcome<NoAnswer>> appended(TenantId tenant, UserId user, Map<String, JsonText> profile, long pos) {
        var entry = new ProfileSet(text(profile.get(Profiles.DISPLAY_NAME)), text(profile.get(Profiles.AVATAR_URL)));
        return profiles.changedAt(tenant, user, pos)
                .thenReturn(new Accepted<>(List.of(UserLog.entry(tenant, user, entry)), DONE));
    }

    private static @Nullable String text(@Nullable JsonText json) {
        return json == null ? null : JSON.readValue(json.text(), String.class);
    }
}
