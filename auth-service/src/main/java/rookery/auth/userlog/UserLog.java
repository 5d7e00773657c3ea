package rookery.auth.userlog;

import java.time.Clock;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.springframework.stereotype.Component;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.id.Shards;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.model.topic.DeviceLogRecord;
import rookery.model.topic.UserLogRecord;
import rookery.model.topic.UserLogRecord.AccountDataSet;
import rookery.platform.log.append.BatchJudge.ShardDrafts;
import rookery.platform.log.append.Decision;
import rookery.platform.log.append.EntryDraft;
import rookery.platform.log.append.LogAppender;
import rookery.platform.log.append.LogEntries;
import rookery.platform.log.append.LogPublisher;
import rookery.platform.log.append.Outcome;
import rookery.platform.log.append.Outcome.Accepted;
import rookery.platform.log.text.DeviceLogText;
import rookery.platform.log.text.UserLogText;

/** The user log (design.md 2): a user lives on one shard, and an entry is for one user. */
@Component
public class UserLog {
    /** One shard in each: drafts write what their features keep, which may be shared with users of other shards. */
    private static final LogAppender.Width WIDTH = new LogAppender.Width(Shards.COUNT, 1);

    private final LogAppender<UserLogDraft<?>, Object> appender;

    UserLog(LogEntries entries, LogPublisher publisher, TransactionalOperator tx, Clock clock, RandomGenerator random) {
        this.appender = new LogAppender<>(entries, UserLog::judged, tx, publisher, clock, random, WIDTH);
    }

    /** Appends, and answers once that is committed; a caller who goes away does not stop it. */
    @SuppressWarnings("unchecked") // a draft's answer is of its own type, whatever waits in the batch beside it
    public <A> Mono<A> append(UserLogDraft<A> draft) {
        return (Mono<A>) appender.append(
                Shards.of(draft.user()), draft.tenant(), draft.user().value(), draft);
    }

    /** An entry that tells one user this. */
    public static EntryDraft entry(TenantId tenant, UserId user, UserLogRecord record) {
        var room = record instanceof AccountDataSet data ? data.room() : null;
        return new EntryDraft(UserLogText.kind(record), tenant, room, user, UserLogText.write(record));
    }

    /** An entry that tells one user's devices this. */
    public static EntryDraft entry(TenantId tenant, UserId user, DeviceLogRecord record) {
        return new EntryDraft(DeviceLogText.kind(record), tenant, null, user, DeviceLogText.write(record));
    }

    /**
     * One draft after the other, each writing what it keeps at once, so that the next one sees it: user logs are quiet, and
     * features stay apart. All of it is rolled back with the batch.
     */
    private static Mono<Decision<Object>> judged(List<ShardDrafts<UserLogDraft<?>>> batch) {
        var shard = batch.getFirst();
        var next = new AtomicLong(shard.head().pos() + 1);
        return Flux.fromIterable(shard.drafts())
                .concatMap(draft -> applied(draft, next))
                .collectList()
                .map(outcomes -> new Decision<>(outcomes, Mono.empty(), () -> {}));
    }

    @SuppressWarnings("unchecked") // as above
    private static Mono<Outcome<Object>> applied(UserLogDraft<?> draft, AtomicLong next) {
        return ((UserLogDraft<Object>) draft).applied(next.get()).doOnNext(outcome -> advance(outcome, next));
    }

    private static void advance(Outcome<Object> outcome, AtomicLong next) {
        if (outcome instanceof Accepted<Object>(var entries, var _)) {
            next.addAndGet(entries.size());
        }
    }
}
