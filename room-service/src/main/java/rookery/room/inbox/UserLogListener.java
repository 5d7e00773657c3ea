package rookery.room.inbox;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.event.AccountDataTypes;
import rookery.model.token.Positions;
import rookery.model.topic.LogRecord;
import rookery.model.topic.Topics;
import rookery.model.topic.UserLogRecord;
import rookery.model.topic.UserLogRecord.AccountDataSet;
import rookery.model.topic.UserLogRecord.ProfileSet;
import rookery.model.topic.UserLogRecord.SessionEnded;
import rookery.model.topic.UserLogRecord.SessionLocked;
import rookery.platform.log.Head;
import rookery.platform.log.Heads;
import rookery.platform.log.LogFollower;
import rookery.platform.log.Stretch;
import rookery.platform.log.UserLogText;
import rookery.room.inbox.ProfileCopies.Who;
import rookery.room.inbox.ProfileSpreads.Spread;
import tools.jackson.databind.json.JsonMapper;

/**
 * Keeps the copies of profiles and ignore lists, and notes which profiles the rooms have to be told of. Blocks on purpose: the
 * tail has a thread for it.
 *
 * <p>The position moves in the transaction of what was copied, by compare-and-set: several instances may follow, and whoever
 * comes second finds the work done. A stretch without news for us is remembered with the next one that has some, or after a
 * while, for following it again changes nothing.
 */
@Component
class UserLogListener implements LogFollower {
    private static final Logger log = LoggerFactory.getLogger(UserLogListener.class);
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration REMEMBER_AFTER = Duration.ofSeconds(10);
    private static final long REMEMBER_AFTER_ENTRIES = 1_000;
    private static final JsonMapper JSON = JsonMapper.shared();

    private final FollowedLogs followed;
    private final ProfileCopies profiles;
    private final IgnoreLists ignoreLists;
    private final ProfileSpreads spreads;
    private final TransactionalOperator tx;
    private final Clock clock;
    private final Duration gatherFor;
    private final List<Head> remembered = new ArrayList<>();
    private final List<Instant> rememberedAt = new ArrayList<>();

    UserLogListener(
            FollowedLogs followed,
            ProfileCopies profiles,
            IgnoreLists ignoreLists,
            ProfileSpreads spreads,
            TransactionalOperator tx,
            Clock clock,
            InboxProperties properties) {
        this.followed = followed;
        this.profiles = profiles;
        this.ignoreLists = ignoreLists;
        this.spreads = spreads;
        this.tx = tx;
        this.clock = clock;
        this.gatherFor = properties.gatherFor();
    }

    @Override
    public Heads begin(Heads heads) {
        var begin = now(begun(heads));
        remembered.clear();
        rememberedAt.clear();
        for (int shard = 0; shard < begin.positions().shards(); shard++) {
            remembered.add(new Head(shard, begin.epoch(), begin.positions().at(shard)));
            rememberedAt.add(clock.instant());
        }
        return begin;
    }

    @Override
    public boolean wants(LogRecord bare) {
        return switch (bare.kind()) {
            case UserLogRecord.PROFILE -> true;
            case UserLogRecord.ACCOUNT_DATA -> bare.room() == null;
            default -> false;
        };
    }

    @Override
    public void apply(Stretch stretch) {
        var news = news(stretch);
        if (news.isEmpty() && !isDue(stretch)) {
            return;
        }
        var from = remembered.get(stretch.shard());
        while (from.pos() < stretch.coveredTo()) {
            from = now(moved(from, stretch, news));
        }
        remembered.set(stretch.shard(), from);
        rememberedAt.set(stretch.shard(), clock.instant());
    }

    private Mono<Heads> begun(Heads heads) {
        return followed.lock(Topics.USER_LOG)
                .flatMap(ours -> isPartOf(ours, heads) ? Mono.just(ours) : restarted(heads))
                .as(tx::transactional);
    }

    /** Whether what we followed is the beginning of the log as it is; after a restore it is not. */
    private static boolean isPartOf(Heads ours, Heads heads) {
        if (ours.epoch() > heads.epoch()) {
            throw new IllegalStateException("another instance follows a newer epoch already"); // the tail asks again
        }
        return ours.epoch() == heads.epoch() && heads.positions().isAtLeast(ours.positions());
    }

    private Mono<Heads> restarted(Heads heads) {
        var beginning =
                new Heads(heads.epoch(), Positions.zero(heads.positions().shards()));
        return profiles.drop()
                .then(ignoreLists.drop())
                .then(followed.restart(Topics.USER_LOG, heads.epoch()))
                .thenReturn(beginning);
    }

    /** Where the shard stands afterwards: at the end of the stretch, or where another instance has brought it. */
    private Mono<Head> moved(Head from, Stretch stretch, List<News> news) {
        return followed.move(Topics.USER_LOG, from, stretch.coveredTo())
                .flatMap(first -> first ? copied(from, stretch, news) : other(from))
                .as(tx::transactional);
    }

    /** One after the other: the later entry about a user counts. */
    private Mono<Head> copied(Head from, Stretch stretch, List<News> news) {
        return Flux.fromIterable(news)
                .filter(item -> item.pos > from.pos())
                .concatMap(item -> copied(item, stretch.epoch()))
                .then(Mono.just(new Head(stretch.shard(), stretch.epoch(), stretch.coveredTo())));
    }

    private Mono<Void> copied(News news, long epoch) {
        return switch (news.record) {
            case ProfileSet profile ->
                profiles.set(news.who, profile, epoch, news.pos)
                        .then(spreads.add(
                                new Spread(news.who, epoch, news.pos),
                                clock.instant().plus(gatherFor).toEpochMilli()));
            case AccountDataSet data -> ignoreLists.set(news.who, IgnoredUsers.ids(JSON.readTree(data.contentJson())));
            case SessionEnded _, SessionLocked _ -> Mono.empty();
        };
    }

    private Mono<Head> other(Head from) {
        return followed.find(Topics.USER_LOG, from.shard()).doOnNext(found -> {
            if (found.epoch() != from.epoch() || found.pos() <= from.pos()) {
                throw new IllegalStateException("the log is followed from its beginning again");
            }
        });
    }

    private boolean isDue(Stretch stretch) {
        return stretch.coveredTo() - remembered.get(stretch.shard()).pos() >= REMEMBER_AFTER_ENTRIES
                || !clock.instant().isBefore(rememberedAt.get(stretch.shard()).plus(REMEMBER_AFTER));
    }

    private record News(Who who, long pos, UserLogRecord record) {}

    private List<News> news(Stretch stretch) {
        var news = new ArrayList<News>();
        for (var entry : stretch.entries()) {
            var record = wants(entry) && entry.subject() != null ? read(entry) : null;
            if (record != null) {
                news.add(new News(
                        new Who(entry.tenant(), Objects.requireNonNull(entry.subject())), entry.pos(), record));
            }
        }
        return news;
    }

    /** Null for what has nothing to say to us; an entry that nobody can read must not stop all others. */
    private static @Nullable UserLogRecord read(LogRecord entry) {
        boolean isProfile = entry.kind().equals(UserLogRecord.PROFILE);
        if (!isProfile && !entry.body().contains(AccountDataTypes.IGNORED_USERS)) {
            return null; // most account data, which need not be read
        }
        try {
            var record = UserLogText.read(entry.kind(), entry.body());
            return isOurs(record) ? record : null;
        } catch (RuntimeException e) {
            log.atError()
                    .addKeyValue("shard", entry.shard())
                    .addKeyValue("pos", entry.pos())
                    .addKeyValue("cause", e.getClass().getName())
                    .log("an entry cannot be read");
            return null;
        }
    }

    private static boolean isOurs(@Nullable UserLogRecord record) {
        return record instanceof ProfileSet
                || (record instanceof AccountDataSet(var type, var room, var _)
                        && room == null
                        && type.equals(AccountDataTypes.IGNORED_USERS));
    }

    private static <T> T now(Mono<T> mono) {
        return Objects.requireNonNull(mono.block(PATIENCE));
    }
}
