// SPDX-License-Identifier: Apache-2.0
package rookery.auth.profile;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.auth.account.Account;
import rookery.auth.account.Accounts;
import rookery.auth.userlog.UserLog;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.model.topic.UserLogRecord.ProfileSet;
import rookery.platform.json.JsonText;
import rookery.platform.log.append.Outcome.Accepted;
import tools.jackson.databind.json.JsonMapper;

/**
 * Changes profiles. Each change runs under the lock of the user's shard, so changes of a profile are serialized. A change of the
 * display name or the avatar appends an entry, which rooms follow (design.md 2).
 */
@Component
public class ProfileEditor {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final Accepted<Boolean> NO_ENTRY = new Accepted<>(List.of(), true);

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
        return userLog.append(tenant, user, pos -> changed(tenant, user, key, json, pos))
                .then();
    }

    /** Clears the whole profile, also of a deactivated account. Idempotent. */
    public Mono<Void> erase(TenantId tenant, UserId user) {
        return userLog.append(tenant, user, pos -> erased(tenant, user, pos)).then();
    }

    /** The entry with the present profile, for an account that is shown to others from now on; within an append. */
    public Mono<Accepted<Boolean>> shown(TenantId tenant, UserId user, long pos) {
        return profiles.fields(tenant, user).flatMap(profile -> appended(tenant, user, profile, pos));
    }

    private Mono<Accepted<Boolean>> changed(TenantId tenant, UserId user, String key, @Nullable String json, long pos) {
        return accounts.find(tenant, user)
                .as(Account::existing)
                .flatMap(account -> profiles.fields(tenant, user)
                        .flatMap(before -> changed(account, before, FieldRules.changed(before, key, json), key, pos)));
    }

    private Mono<Accepted<Boolean>> changed(
            Account account, Map<String, JsonText> before, Map<String, JsonText> profile, String key, long pos) {
        if (profile.equals(before)) {
            return Mono.just(NO_ENTRY);
        }
        var tenant = account.tenant();
        var user = account.user();
        var value = profile.get(key);
        var written = value == null ? profiles.unset(tenant, user, key) : profiles.set(tenant, user, key, value.text());
        return account.approved() && FieldRules.isShownInRooms(key)
                ? written.then(appended(tenant, user, profile, pos))
                : written.thenReturn(NO_ENTRY);
    }

    private Mono<Accepted<Boolean>> erased(TenantId tenant, UserId user, long pos) {
        return profiles.fields(tenant, user)
                .flatMap(before -> before.isEmpty()
                        ? Mono.just(NO_ENTRY)
                        : profiles.unsetAll(tenant, user).then(appended(tenant, user, Map.of(), pos)));
    }

    private Mono<Accepted<Boolean>> appended(TenantId tenant, UserId user, Map<String, JsonText> profile, long pos) {
        var entry = new ProfileSet(text(profile.get(Profiles.DISPLAY_NAME)), text(profile.get(Profiles.AVATAR_URL)));
        return profiles.changedAt(tenant, user, pos)
                .thenReturn(new Accepted<>(List.of(UserLog.entry(tenant, user, entry)), true));
    }

    private static @Nullable String text(@Nullable JsonText json) {
        return json == null ? null : JSON.readValue(json.text(), String.class);
    }
}
