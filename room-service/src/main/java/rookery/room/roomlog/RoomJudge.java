package rookery.room.roomlog;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.platform.log.append.BatchJudge;
import rookery.platform.log.append.Decision;
import rookery.platform.log.append.Head;
import rookery.platform.log.append.Outcome;
import rookery.room.draft.RoomAnswer;
import rookery.room.draft.RoomDraft;
import rookery.room.table.BanCopies;
import rookery.room.table.DeviceLists;
import rookery.room.table.ForgottenRooms;
import rookery.room.table.Purges;
import rookery.room.table.SearchIndex;
import rookery.room.table.Upgrades;
import rookery.room.transaction.Transactions;

/** Decides the drafts of a batch: reads the facts, judges without I/O, and collects the rows to write. */
@Component
class RoomJudge implements BatchJudge<RoomDraft, RoomAnswer> {
    private final BatchReader reader;
    private final Rooms rooms;
    private final Events events;
    private final SearchIndex search;
    private final States states;
    private final Transactions transactions;
    private final ForgottenRooms forgotten;
    private final Receipts receipts;
    private final Redactions redactions;
    private final Upgrades upgrades;
    private final BanCopies banCopies;
    private final Threads threads;
    private final DeviceLists deviceLists;
    private final MediaReferences media;
    private final Purges purges;
    private final StateProperties quota;
    private final Clock clock;

    RoomJudge(
            BatchReader reader,
            Rooms rooms,
            Events events,
            SearchIndex search,
            States states,
            Transactions transactions,
            ForgottenRooms forgotten,
            Receipts receipts,
            Redactions redactions,
            Upgrades upgrades,
            BanCopies banCopies,
            Threads threads,
            DeviceLists deviceLists,
            MediaReferences media,
            Purges purges,
            StateProperties quota,
            Clock clock) {
        this.reader = reader;
        this.rooms = rooms;
        this.events = events;
        this.search = search;
        this.states = states;
        this.transactions = transactions;
        this.forgotten = forgotten;
        this.receipts = receipts;
        this.redactions = redactions;
        this.upgrades = upgrades;
        this.banCopies = banCopies;
        this.threads = threads;
        this.deviceLists = deviceLists;
        this.media = media;
        this.purges = purges;
        this.quota = quota;
        this.clock = clock;
    }

    @Override
    public Mono<Decision<RoomAnswer>> judge(List<ShardDrafts<RoomDraft>> batch) {
        return reader.read(batch).map(facts -> decide(facts, batch));
    }

    /** The rows of one shard. */
    private record ShardRows(Head head, BatchRows rows) {}

    private Decision<RoomAnswer> decide(BatchFacts facts, List<ShardDrafts<RoomDraft>> batch) {
        long now = clock.millis();
        var outcomes = new ArrayList<Outcome<RoomAnswer>>();
        var written = new ArrayList<ShardRows>();
        for (var shard : batch) {
            var verdicts = new BatchVerdicts(facts, shard.head(), quota, now);
            outcomes.addAll(verdicts.judge(shard.drafts()));
            written.add(new ShardRows(shard.head(), verdicts.rows()));
        }
        long epoch = batch.getFirst().head().epoch(); // all shards have the same epoch
        return new Decision<>(
                outcomes,
                Mono.defer(() -> write(facts, written, now)),
                () -> reader.remember(epoch, facts.rooms().values()));
    }

    private Mono<Void> write(BatchFacts facts, List<ShardRows> written, long now) {
        var rows = new BatchRows();
        written.forEach(shard -> rows.addAll(shard.rows));
        var changed = facts.rooms().values().stream()
                .filter(room -> room.hasChanged() && !rows.created.contains(room))
                .toList();
        return Flux.concat(
                        Flux.fromIterable(rows.created).concatMap(room -> rooms.create(room, now)),
                        events.insert(rows.events, now),
                        search.insert(rows.searched, now),
                        media.insert(rows.media),
                        threads.add(rows.events),
                        states.close(rows.ended),
                        states.open(rows.begun()),
                        rooms.update(changed),
                        rooms.list(rows.listed),
                        Flux.fromIterable(rows.upgraded.values()).concatMap(upgrade -> upgrades.insert(upgrade, now)),
                        Flux.fromIterable(rows.banSteps.entrySet())
                                .concatMap(step -> banCopies.move(step.getKey(), step.getValue())),
                        upgrades.carryOver(rows.joined, now),
                        transactions.insert(rows.transactions, now),
                        forgotten.delete(rows.remembered),
                        forgotten.insertAll(rows.forgotten),
                        deviceLists.put(rows.deviceLists),
                        receipts.put(rows.receipts),
                        receipts.deleteOutdated(rows.outdated),
                        // last, because redacted events may be of this batch
                        Flux.fromIterable(written)
                                .concatMap(shard -> redactions.apply(shard.head.shard(), shard.rows.redactions, now)),
                        threads.remove(rows.redactions),
                        search.remove(rows.redacted()),
                        media.redact(rows.redactions, now),
                        Flux.fromIterable(written).concatMap(shard -> purges.hide(shard.head, shard.rows.purged, now)))
                .then();
    }
}
