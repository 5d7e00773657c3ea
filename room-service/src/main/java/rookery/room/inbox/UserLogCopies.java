// SPDX-License-Identifier: Apache-2.0
package rookery.room.inbox;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.event.AccountDataTypes;
import rookery.model.id.TenantUser;
import rookery.model.topic.DeviceLogRecord;
import rookery.model.topic.DeviceLogRecord.DeviceKeysChanged;
import rookery.model.topic.LogRecord;
import rookery.model.topic.UserLogRecord;
import rookery.model.topic.UserLogRecord.AccountChanged;
import rookery.model.topic.UserLogRecord.AccountDataSet;
import rookery.model.topic.UserLogRecord.AccountState;
import rookery.model.topic.UserLogRecord.ProfileSet;
import rookery.platform.log.follow.Derivation;
import rookery.platform.log.text.DeviceLogText;
import rookery.platform.log.text.UserLogText;
import rookery.room.inbox.SpreadQueue.Spread;
import rookery.room.table.DelayedEvents;
import tools.jackson.databind.json.JsonMapper;

/**
 * Copies profiles and ignore lists from the user log, queues changes of profiles and devices for the user's rooms, and deletes the
 * delayed events of a user who was blocked.
 */
@Component
class UserLogCopies implements Derivation<UserLogCopies.UserChange> {
    private static final JsonMapper JSON = JsonMapper.shared();

    private final ProfileCopies profiles;
    private final IgnoreLists ignoreLists;
    private final ProfileSpreads spreads;
    private final DeviceListChanges deviceLists;
    private final DelayedEvents delayedEvents;
    private final Duration gatherFor;

    UserLogCopies(
            ProfileCopies profiles,
            IgnoreLists ignoreLists,
            ProfileSpreads spreads,
            DeviceListChanges deviceLists,
            DelayedEvents delayedEvents,
            InboxProperties properties) {
        this.profiles = profiles;
        this.ignoreLists = ignoreLists;
        this.spreads = spreads;
        this.deviceLists = deviceLists;
        this.delayedEvents = delayedEvents;
        this.gatherFor = properties.gatherFor();
    }

    @Override
    public boolean wants(LogRecord bare) {
        return switch (bare.kind()) {
            case UserLogRecord.PROFILE, UserLogRecord.ACCOUNT, DeviceLogRecord.DEVICE_KEYS -> bare.subject() != null;
            case UserLogRecord.ACCOUNT_DATA -> bare.room() == null && bare.subject() != null;
            default -> false;
        };
    }

    sealed interface UserChange {}

    private record Profile(ProfileSet set) implements UserChange {}

    private record Ignored(String contentJson) implements UserChange {}

    private record DeviceKeys() implements UserChange {}

    private record Blocked() implements UserChange {}

    @Override
    public @Nullable UserChange read(LogRecord entry) {
        return switch (entry.kind()) {
            case UserLogRecord.PROFILE ->
                UserLogText.read(entry.kind(), entry.body()) instanceof ProfileSet set ? new Profile(set) : null;
            case DeviceLogRecord.DEVICE_KEYS -> deviceKeys(entry);
            case UserLogRecord.ACCOUNT ->
                UserLogText.read(entry.kind(), entry.body()) instanceof AccountChanged(var state)
                                && state == AccountState.BLOCKED
                        ? new Blocked()
                        : null;
            default -> ignored(entry);
        };
    }

    /** A change of the user's own devices or keys; signatures of other users' keys do not concern the rooms. */
    private static @Nullable UserChange deviceKeys(LogRecord entry) {
        return DeviceLogText.read(entry.kind(), entry.body()) instanceof DeviceKeysChanged(var user)
                        && user.equals(entry.subject())
                ? new DeviceKeys()
                : null;
    }

    private static @Nullable UserChange ignored(LogRecord entry) {
        if (!entry.body().contains(AccountDataTypes.IGNORED_USERS)) {
            return null; // most account data; skipped without parsing
        }
        return UserLogText.read(entry.kind(), entry.body()) instanceof AccountDataSet(var type, var room, var content)
                        && room == null
                        && type.equals(AccountDataTypes.IGNORED_USERS)
                ? new Ignored(content)
                : null;
    }

    /** In order, because the later entry about a user wins. */
    @Override
    public Mono<Void> write(List<News<UserChange>> entries) {
        return Flux.fromIterable(entries).concatMap(this::copied).then();
    }

    private Mono<Void> copied(News<UserChange> change) {
        var entry = change.entry();
        var user = new TenantUser(entry.tenant(), Objects.requireNonNull(entry.subject()));
        return switch (change.parsedEntry()) {
            case Profile(var profile) ->
                profiles.set(user, profile, entry.epoch(), entry.pos())
                        .then(spreads.add(new Spread(user, entry.epoch(), entry.pos()), gatherFor));
            case Ignored(var content) -> ignoreLists.set(user, IgnoredUsers.ids(JSON.readTree(content)));
            case Blocked() -> delayedEvents.delete(user);
            case DeviceKeys() -> deviceLists.add(new Spread(user, entry.epoch(), entry.pos()), Duration.ZERO);
        };
    }

    @Override
    public Mono<Void> drop() {
        return profiles.drop().then(ignoreLists.drop());
    }
}
