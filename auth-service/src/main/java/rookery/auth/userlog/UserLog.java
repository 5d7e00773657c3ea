// SPDX-License-Identifier: Apache-2.0
package rookery.auth.userlog;

import java.time.Clock;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.springframework.stereotype.Component;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.error.ApiException;
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
import rookery.platform.log.append.Outcome.Refused;
import rookery.platform.log.text.DeviceLogText;
import rookery.platform.log.text.UserLogText;
import rookery.platform.tenant.Tenants;

/** The user log (design.md 2): each user belongs to one shard, and each entry to one user. */
@Component
public class UserLog {
    /** One shard per transaction: drafts write rows that users of other shards may share. */
    private static final LogAppender.Width WIDTH = new LogAppender.Width(Shards.COUNT, 1);

    private final LogAppender<UserLogDraft<?>, Object> appender;
    private final Tenants tenants;

    UserLog(
            LogEntries entries,
            LogPublisher publisher,
            TransactionalOperator tx,
            Clock clock,
            RandomGenerator random,
            Tenants tenants) {
        this.tenants = tenants;
        this.appender = new LogAppender<>(entries, UserLog::judged, tx, publisher, clock, random, WIDTH);
    }

    /** Appends the draft's entries and completes after the commit; cancellation does not stop the append. */
    @SuppressWarnings("unchecked") // the outcome of a draft has the draft's own type
    public <A> Mono<A> append(TenantId tenant, UserId user, UserLogDraft<A> draft) {
        return Mono.defer(() -> {
            tenants.requireNoImport(tenant);
            return (Mono<A>) appender.append(Shards.of(user), tenant, user.value(), draft);
        });
    }

    /** An entry in one user's log. */
    public static EntryDraft entry(TenantId tenant, UserId user, UserLogRecord record) {
        var room = record instanceof AccountDataSet data ? data.room() : null;
        return new EntryDraft(UserLogText.kind(record), tenant, room, user, UserLogText.write(record));
    }

    /** An entry for the devices of one user. */
    public static EntryDraft entry(TenantId tenant, UserId user, DeviceLogRecord record) {
        return new EntryDraft(DeviceLogText.kind(record), tenant, null, user, DeviceLogText.write(record));
    }

    /**
     * Applies one draft after the other; each draft sees the writes of the drafts before it. User logs have little traffic, so
     * features need no common batch statement. A failure rolls back the whole batch.
     */
    private static Mono<Decision<Object>> judged(List<ShardDrafts<UserLogDraft<?>>> batch) {
        var shard = batch.getFirst();
        var next = new AtomicLong(shard.head().pos() + 1);
        return Flux.fromIterable(shard.drafts())
                .concatMap(draft -> applied(draft, next))
                .collectList()
                .map(outcomes -> new Decision<>(outcomes, Mono.empty(), () -> {}));
    }

    @SuppressWarnings("unchecked") // the outcome of a draft has the draft's own type
    private static Mono<Outcome<Object>> applied(UserLogDraft<?> draft, AtomicLong next) {
        return Mono.defer(() -> ((UserLogDraft<Object>) draft).applied(next.get()))
                .doOnNext(accepted -> next.addAndGet(accepted.entries().size()))
                .<Outcome<Object>>map(accepted -> accepted)
                .onErrorResume(ApiException.class, refusal -> Mono.just(new Refused<>(refusal)));
    }
}
