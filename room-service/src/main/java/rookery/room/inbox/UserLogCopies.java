package rookery.room.inbox;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.event.AccountDataTypes;
import rookery.model.topic.LogRecord;
import rookery.model.topic.UserLogRecord;
import rookery.model.topic.UserLogRecord.AccountChanged;
import rookery.model.topic.UserLogRecord.AccountDataSet;
import rookery.model.topic.UserLogRecord.ProfileSet;
import rookery.model.topic.UserLogRecord.SessionEnded;
import rookery.model.topic.UserLogRecord.SessionLocked;
import rookery.platform.log.Derivation;
import rookery.platform.log.UserLogText;
import rookery.room.inbox.ProfileCopies.Who;
import rookery.room.inbox.ProfileSpreads.Spread;
import tools.jackson.databind.json.JsonMapper;

/** Keeps the copies of profiles and ignore lists, and notes which profiles the rooms have to be told of. */
@Component
class UserLogCopies implements Derivation<UserLogRecord> {
    private static final JsonMapper JSON = JsonMapper.shared();

    private final ProfileCopies profiles;
    private final IgnoreLists ignoreLists;
    private final ProfileSpreads spreads;
    private final Clock clock;
    private final Duration gatherFor;

    UserLogCopies(
            ProfileCopies profiles,
            IgnoreLists ignoreLists,
            ProfileSpreads spreads,
            Clock clock,
            InboxProperties properties) {
        this.profiles = profiles;
        this.ignoreLists = ignoreLists;
        this.spreads = spreads;
        this.clock = clock;
        this.gatherFor = properties.gatherFor();
    }

    @Override
    public boolean wants(LogRecord bare) {
        return switch (bare.kind()) {
            case UserLogRecord.PROFILE -> bare.subject() != null;
            case UserLogRecord.ACCOUNT_DATA -> bare.room() == null && bare.subject() != null;
            default -> false;
        };
    }

    @Override
    public @Nullable UserLogRecord read(LogRecord entry) {
        boolean isProfile = entry.kind().equals(UserLogRecord.PROFILE);
        if (!isProfile && !entry.body().contains(AccountDataTypes.IGNORED_USERS)) {
            return null; // most account data, which need not be read
        }
        var record = UserLogText.read(entry.kind(), entry.body());
        return isOurs(record) ? record : null;
    }

    private static boolean isOurs(@Nullable UserLogRecord record) {
        return record instanceof ProfileSet
                || (record instanceof AccountDataSet(var type, var room, var _)
                        && room == null
                        && type.equals(AccountDataTypes.IGNORED_USERS));
    }

    /** One after the other: the later entry about a user counts. */
    @Override
    public Mono<Void> write(List<News<UserLogRecord>> news) {
        return Flux.fromIterable(news).concatMap(this::copied).then();
    }

    private Mono<Void> copied(News<UserLogRecord> news) {
        var entry = news.entry();
        var who = new Who(entry.tenant(), Objects.requireNonNull(entry.subject()));
        return switch (news.told()) {
            case ProfileSet profile ->
                profiles.set(who, profile, entry.epoch(), entry.pos())
                        .then(spreads.add(
                                new Spread(who, entry.epoch(), entry.pos()),
                                clock.instant().plus(gatherFor).toEpochMilli()));
            case AccountDataSet data -> ignoreLists.set(who, IgnoredUsers.ids(JSON.readTree(data.contentJson())));
            case SessionEnded _, SessionLocked _, AccountChanged _ -> Mono.empty();
        };
    }

    @Override
    public Mono<Void> drop() {
        return profiles.drop().then(ignoreLists.drop());
    }
}
