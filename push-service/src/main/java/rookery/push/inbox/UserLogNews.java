// SPDX-License-Identifier: Apache-2.0
package rookery.push.inbox;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.event.AccountDataTypes;
import rookery.model.id.DeviceId;
import rookery.model.id.TenantUser;
import rookery.model.topic.LogRecord;
import rookery.model.topic.UserLogRecord;
import rookery.model.topic.UserLogRecord.AccountChanged;
import rookery.model.topic.UserLogRecord.AccountDataSet;
import rookery.model.topic.UserLogRecord.AccountState;
import rookery.model.topic.UserLogRecord.ProfileSet;
import rookery.model.topic.UserLogRecord.SessionEnded;
import rookery.model.topic.UserLogRecord.SessionLocked;
import rookery.platform.log.follow.Derivation;
import rookery.platform.log.text.UserLogText;
import rookery.push.count.UserChanges;
import rookery.push.count.UserChanges.RulesSet;
import rookery.push.delivery.Pauses;
import rookery.push.pusher.Pushers;
import tools.jackson.databind.json.JsonMapper;

/** Applies push rules, ignored users, ended devices and account states of the user log. */
@Component
class UserLogNews implements Derivation<UserLogRecord> {
    private static final JsonMapper JSON = JsonMapper.shared();

    private final UserChanges changes;
    private final Pushers pushers;
    private final Pauses pauses;

    UserLogNews(UserChanges changes, Pushers pushers, Pauses pauses) {
        this.changes = changes;
        this.pushers = pushers;
        this.pauses = pauses;
    }

    /** The combined changes of a batch: the last of each kind wins, and a deactivated account has no later entries. */
    private static final class StretchChanges {
        final Map<TenantUser, RulesSet> rules = new LinkedHashMap<>();
        final Map<TenantUser, Set<String>> ignored = new LinkedHashMap<>();
        final Map<TenantUser, AccountState> accounts = new LinkedHashMap<>();
        final Set<EndedDevice> devices = new LinkedHashSet<>();

        void withoutEnded() {
            rules.keySet().removeAll(ended());
            ignored.keySet().removeAll(ended());
        }

        Set<TenantUser> ended() {
            var ended = new HashSet<TenantUser>();
            accounts.forEach((user, state) -> {
                if (state == AccountState.ENDED) {
                    ended.add(user);
                }
            });
            return ended;
        }
    }

    private record EndedDevice(TenantUser user, DeviceId device) {}

    @Override
    public boolean wants(LogRecord bare) {
        return bare.subject() != null
                && switch (bare.kind()) {
                    case UserLogRecord.ACCOUNT_DATA -> bare.room() == null;
                    case UserLogRecord.ACCOUNT, UserLogRecord.SESSION_ENDED -> true;
                    default -> false;
                };
    }

    @Override
    public @Nullable UserLogRecord read(LogRecord entry) {
        boolean isData = entry.kind().equals(UserLogRecord.ACCOUNT_DATA);
        if (isData
                && !entry.body().contains(AccountDataTypes.IGNORED_USERS)
                && !entry.body().contains(AccountDataTypes.PUSH_RULES)) {
            return null; // most account data is of other types and not parsed
        }
        var record = UserLogText.read(entry.kind(), entry.body());
        return isOurs(record) ? record : null;
    }

    private static boolean isOurs(@Nullable UserLogRecord record) {
        return switch (record) {
            case AccountDataSet(var type, var room, var _) ->
                room == null
                        && (type.equals(AccountDataTypes.IGNORED_USERS) || type.equals(AccountDataTypes.PUSH_RULES));
            case AccountChanged _, SessionEnded _ -> true;
            case ProfileSet _, SessionLocked _ -> false;
            case null -> false;
        };
    }

    @Override
    public Mono<Void> write(List<News<UserLogRecord>> news) {
        var changed = new StretchChanges();
        news.forEach(item -> add(changed, item));
        changed.withoutEnded();
        return changes.rules(List.copyOf(changed.rules.values()))
                .then(changes.ignore(changed.ignored))
                .then(Flux.fromIterable(changed.devices)
                        .concatMap(ended -> pushers.endOfDevice(ended.user.tenant(), ended.user.user(), ended.device))
                        .then())
                .then(Flux.fromIterable(changed.accounts.entrySet())
                        .concatMap(account -> setState(account.getKey(), account.getValue()))
                        .then())
                .then(changes.ended(changed.ended())); // last, because deleting pushers updates rows that this deletes
    }

    /** Ends or pauses pushes after the account's state has changed (contract.md 12.6, 14). */
    private Mono<Void> setState(TenantUser account, AccountState state) {
        var tenant = account.tenant();
        var user = account.user();
        return switch (state) {
            case ACTIVE -> pauses.set(tenant, user, false);
            case BLOCKED -> pauses.set(tenant, user, true);
            case ENDED -> pushers.endOfAccount(tenant, user).then(pauses.endOfAccount(tenant, user));
        };
    }

    private static void add(StretchChanges changed, News<UserLogRecord> news) {
        var entry = news.entry();
        var user = new TenantUser(entry.tenant(), Objects.requireNonNull(entry.subject()));
        switch (news.parsedEntry()) {
            case AccountDataSet(var type, var _, var content) -> {
                if (type.equals(AccountDataTypes.PUSH_RULES)) {
                    changed.rules.put(user, new RulesSet(user, entry.epoch(), entry.pos(), content));
                } else {
                    changed.ignored.put(user, ignored(user, content));
                }
            }
            case AccountChanged(var state) -> changed.accounts.put(user, state);
            case SessionEnded(var device) -> changed.devices.add(new EndedDevice(user, device));
            case ProfileSet _, SessionLocked _ -> {}
        }
    }

    private static Set<String> ignored(TenantUser user, String content) {
        var ids = new HashSet<>(JSON.readTree(content).path("ignored_users").propertyNames());
        ids.removeIf(id -> id.indexOf('\0') >= 0); // no user id contains U+0000, and PostgreSQL cannot store it
        ids.remove(user.user().value()); // an own id has no effect
        return ids;
    }

    @Override
    public Mono<Void> drop() {
        return changes.drop().then(pauses.endAll());
    }
}
