// SPDX-License-Identifier: Apache-2.0
package rookery.room.roomlog;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.platform.log.append.BatchJudge;
import rookery.platform.log.append.Decision;
import rookery.platform.log.append.Head;
import rookery.platform.log.append.Outcome;
import rookery.platform.log.append.RememberedDecision;
import rookery.platform.sql.BoundStatement;
import rookery.platform.tenant.TenantSettings;
import rookery.platform.tenant.Tenants;
import rookery.room.draft.RoomAnswer;
import rookery.room.draft.RoomDraft;
import rookery.room.roomlog.RemovalTables.ShardRows;
import rookery.room.table.Purges;
import rookery.room.table.SearchIndex;
import rookery.room.transaction.Transactions;

/** Decides the drafts of a batch: reads the facts, judges without I/O, and writes the collected rows. */
@Component
class RoomJudge implements BatchJudge<RoomDraft, RoomAnswer> {
    private final BatchReader reader;
    private final EventTables events;
    private final MemberTables members;
    private final RemovalTables removals;
    private final RoomLimits limits;
    private final EventDays days;
    private final Clock clock;

    RoomJudge(
            BatchReader reader,
            EventTables events,
            MemberTables members,
            RemovalTables removals,
            StateProperties quota,
            Tenants tenants,
            EventDays days,
            Clock clock) {
        this.reader = reader;
        this.events = events;
        this.members = members;
        this.removals = removals;
        this.limits = new RoomLimits(
                tenant -> tenants.setting(tenant, TenantSettings.STATE_BYTES_MAX, quota.most()),
                tenant -> tenants.setting(tenant, TenantSettings.ROOM_MEMBERS_MAX, Long.MAX_VALUE),
                days::requireMore);
        this.days = days;
        this.clock = clock;
    }

    @Override
    public Mono<Decision<RoomAnswer>> judge(List<ShardDrafts<RoomDraft>> batch) {
        return reader.read(batch).map(facts -> decide(facts, batch));
    }

    @Override
    public @Nullable RememberedDecision<RoomAnswer> remembered(List<ShardDrafts<RoomDraft>> batch) {
        var facts = reader.remembered(batch);
        if (facts == null) {
            return null;
        }
        long now = clock.millis();
        var judged = Judgement.of(facts, batch, limits, now);
        var keys = DraftNeeds.transactionKeys(
                batch.stream().flatMap(shard -> shard.drafts().stream()).toList());
        return new RememberedDecision<>(
                judged.outcomes, keys.isEmpty() ? null : Transactions.query(keys), insertions(judged.rows, now), () -> {
                    reader.remember(facts, judged.ends);
                    days.count(judged.rows.events);
                });
    }

    /** The rows of message events. */
    private static List<BoundStatement> insertions(BatchRows rows, long now) {
        var insertions = new ArrayList<BoundStatement>();
        if (!rows.events.isEmpty()) {
            insertions.add(Events.insertion(rows.events, now).guarded());
        }
        if (!rows.searched.isEmpty()) {
            insertions.add(SearchIndex.insertion(rows.searched, now).guarded());
        }
        if (!rows.media.isEmpty()) {
            insertions.add(MediaReferences.insertion(rows.media).guarded());
        }
        if (!rows.transactions.isEmpty()) {
            insertions.add(Transactions.insertion(rows.transactions, now).guarded());
        }
        return insertions;
    }

    /** @param ends the ends of the shards after the batch */
    private record Judgement(
            List<Outcome<RoomAnswer>> outcomes, List<ShardRows> shards, List<Head> ends, BatchRows rows) {
        static Judgement of(BatchFacts facts, List<ShardDrafts<RoomDraft>> batch, RoomLimits limits, long now) {
            var judged = new Judgement(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new BatchRows());
            for (var shard : batch) {
                var verdicts = new BatchVerdicts(facts, shard.head(), limits, now);
                var outcomes = verdicts.judge(shard.drafts());
                judged.outcomes.addAll(outcomes);
                judged.shards.add(new ShardRows(shard.head(), verdicts.rows()));
                judged.ends.add(end(shard.head(), outcomes));
                judged.rows.addAll(verdicts.rows());
            }
            return judged;
        }

        private static Head end(Head head, List<Outcome<RoomAnswer>> outcomes) {
            long entries = 0;
            for (var outcome : outcomes) {
                entries += outcome instanceof Outcome.Accepted<RoomAnswer>(var unit, var _) ? unit.size() : 0;
            }
            return new Head(head.shard(), head.epoch(), head.pos() + entries);
        }
    }

    private Decision<RoomAnswer> decide(BatchFacts facts, List<ShardDrafts<RoomDraft>> batch) {
        long now = clock.millis();
        var judged = Judgement.of(facts, batch, limits, now);
        long epoch = batch.getFirst().head().epoch(); // all shards have the same epoch
        return new Decision<>(judged.outcomes, Mono.defer(() -> write(facts, judged.shards, judged.rows, now)), () -> {
            reader.remember(facts, judged.ends);
            days.count(judged.rows.events);
            reader.forget(epoch, judged.rows.banSteps.keySet());
            reader.forget(
                    epoch, judged.rows.purged.stream().map(Purges.Row::room).toList());
        });
    }

    private Mono<Void> write(BatchFacts facts, List<ShardRows> shards, BatchRows all, long now) {
        var changed = facts.rooms().values().stream()
                .filter(room -> !room.changed().isEmpty() && !all.created.contains(room))
                .toList();
        return events.write(all, changed, now)
                .then(Mono.defer(() -> members.write(all, now)))
                .then(Mono.defer(() -> removals.write(shards, all, now)));
    }
}
