// SPDX-License-Identifier: Apache-2.0
package rookery.room.roomlog;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.platform.log.append.BatchJudge;
import rookery.platform.log.append.Decision;
import rookery.platform.log.append.Outcome;
import rookery.room.draft.RoomAnswer;
import rookery.room.draft.RoomDraft;
import rookery.room.roomlog.RemovalTables.ShardRows;

/** Decides the drafts of a batch: reads the facts, judges without I/O, and writes the collected rows. */
@Component
class RoomJudge implements BatchJudge<RoomDraft, RoomAnswer> {
    private final BatchReader reader;
    private final EventTables events;
    private final MemberTables members;
    private final RemovalTables removals;
    private final StateProperties quota;
    private final Clock clock;

    RoomJudge(
            BatchReader reader,
            EventTables events,
            MemberTables members,
            RemovalTables removals,
            StateProperties quota,
            Clock clock) {
        this.reader = reader;
        this.events = events;
        this.members = members;
        this.removals = removals;
        this.quota = quota;
        this.clock = clock;
    }

    @Override
    public Mono<Decision<RoomAnswer>> judge(List<ShardDrafts<RoomDraft>> batch) {
        return reader.read(batch).map(facts -> decide(facts, batch));
    }

    private Decision<RoomAnswer> decide(BatchFacts facts, List<ShardDrafts<RoomDraft>> batch) {
        long now = clock.millis();
        var outcomes = new ArrayList<Outcome<RoomAnswer>>();
        var shards = new ArrayList<ShardRows>();
        for (var shard : batch) {
            var verdicts = new BatchVerdicts(facts, shard.head(), quota, now);
            outcomes.addAll(verdicts.judge(shard.drafts()));
            shards.add(new ShardRows(shard.head(), verdicts.rows()));
        }
        long epoch = batch.getFirst().head().epoch(); // all shards have the same epoch
        return new Decision<>(
                outcomes,
                Mono.defer(() -> write(facts, shards, now)),
                () -> reader.remember(epoch, facts.rooms().values()));
    }

    private Mono<Void> write(BatchFacts facts, List<ShardRows> shards, long now) {
        var all = new BatchRows();
        shards.forEach(shard -> all.addAll(shard.rows()));
        var changed = facts.rooms().values().stream()
                .filter(room -> !room.changed().isEmpty() && !all.created.contains(room))
                .toList();
        return events.write(all, changed, now)
                .then(Mono.defer(() -> members.write(all, now)))
                .then(Mono.defer(() -> removals.write(shards, all, now)));
    }
}
