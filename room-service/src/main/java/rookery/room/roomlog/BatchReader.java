// SPDX-License-Identifier: Apache-2.0
package rookery.room.roomlog;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.event.EventTypes;
import rookery.model.id.TenantRoom;
import rookery.model.id.UserId;
import rookery.platform.log.append.BatchJudge.ShardDrafts;
import rookery.platform.log.append.Head;
import rookery.room.authorization.CoreState;
import rookery.room.draft.RoomDraft;
import rookery.room.draft.RoomDraft.OfCreation;
import rookery.room.draft.RoomDraft.OfEvent;
import rookery.room.draft.RoomDraft.OfMember;
import rookery.room.draft.RoomDraft.OfUpgrade;
import rookery.room.inbox.ProfileCopies;
import rookery.room.roomlog.Rooms.RoomHead;
import rookery.room.roomlog.ShardRuns.Run;
import rookery.room.roomlog.States.StateRow;
import rookery.room.table.Annotations;
import rookery.room.table.BanCopies;
import rookery.room.table.DelayedEvents;
import rookery.room.table.Relation;
import rookery.room.table.RoomStateKey;
import rookery.room.table.StateKey;
import rookery.room.table.StateValue;
import rookery.room.table.Upgrades;
import rookery.room.transaction.Transactions;

/**
 * Reads the facts that the drafts of a batch need, under the locks of the shards. Only single pieces of state are read, and
 * usually none for a room whose state has not changed since this instance's last batch.
 */
@Component
class BatchReader {
    private static final List<String> CORE =
            List.of(EventTypes.POWER_LEVELS, EventTypes.JOIN_RULES, EventTypes.HISTORY_VISIBILITY);

    private final Rooms rooms;
    private final States states;
    private final Events events;
    private final Annotations annotations;
    private final Transactions transactions;
    private final ProfileCopies profiles;
    private final Receipts receipts;
    private final Upgrades upgrades;
    private final BanCopies banCopies;
    private final DelayedEvents delayed;
    private final CachedRooms cache;
    private final ShardRuns runs = new ShardRuns();

    BatchReader(
            Rooms rooms,
            States states,
            Events events,
            Annotations annotations,
            Transactions transactions,
            ProfileCopies profiles,
            Receipts receipts,
            Upgrades upgrades,
            BanCopies banCopies,
            DelayedEvents delayed,
            CachedRooms cache) {
        this.rooms = rooms;
        this.states = states;
        this.events = events;
        this.annotations = annotations;
        this.transactions = transactions;
        this.profiles = profiles;
        this.receipts = receipts;
        this.upgrades = upgrades;
        this.banCopies = banCopies;
        this.delayed = delayed;
        this.cache = cache;
    }

    /** @param ends the ends of the batch's shards after its commit */
    void remember(BatchFacts facts, List<Head> ends) {
        ends.forEach(end -> runs.moved(Objects.requireNonNull(facts.runs().get(end.shard())), end.pos()));
        long epoch = ends.getFirst().epoch();
        facts.rooms()
                .values()
                .forEach(work -> cache.put(
                        work.key,
                        epoch,
                        work.toCached(Objects.requireNonNull(facts.runs().get(work.key.shard())))));
    }

    void forget(long epoch, Collection<TenantRoom> rooms) {
        rooms.forEach(room -> cache.remove(room, epoch));
    }

    /**
     * The facts of messages without a relation, except their transaction ids, from the current runs of the shards. Null for other
     * drafts, and for a room that is not remembered.
     */
    @Nullable
    BatchFacts remembered(List<ShardDrafts<RoomDraft>> batch) {
        var facts = BatchFacts.none();
        for (var shard : batch) {
            var run = runs.current(shard.head());
            if (run == null) {
                return null;
            }
            facts.runs().put(shard.head().shard(), run);
            for (var draft : shard.drafts()) {
                if (!remember(draft, shard.head().epoch(), run, facts)) {
                    return null;
                }
            }
        }
        return facts;
    }

    private boolean remember(RoomDraft draft, long epoch, Run run, BatchFacts facts) {
        if (!(draft instanceof OfEvent event)
                || event.stateKey() != null
                || Relation.of(event.candidate().content()) != null) {
            return false;
        }
        var room = facts.rooms().get(draft.room());
        if (room == null) {
            var cached = cache.find(draft.room(), epoch);
            var row = cached == null ? null : cached.row();
            if (cached == null || row == null || row.run() != run || row.head().moreBans()) {
                return false;
            }
            room = new RoomWork(row.head(), cached);
            facts.rooms().put(draft.room(), room);
        }
        return room.knows(draft.sender());
    }

    Mono<BatchFacts> read(List<ShardDrafts<RoomDraft>> batch) {
        long epoch = batch.getFirst().head().epoch(); // all shards have the same epoch
        var all = batch.stream().flatMap(shard -> shard.drafts().stream()).toList();
        var drafts = all.stream().map(RoomDraft::judged).toList();
        return Mono.defer(() -> {
            var facts = BatchFacts.none();
            batch.forEach(shard -> facts.runs().put(shard.head().shard(), runs.continued(shard.head())));
            return delayed.lock(DraftNeeds.delayed(all))
                    .doOnNext(facts.delayed()::putAll)
                    .then(Mono.defer(() -> read(epoch, drafts, facts)));
        });
    }

    private Mono<BatchFacts> read(long epoch, List<RoomDraft> drafts, BatchFacts facts) {
        return Flux.concat(
                        transactions.find(DraftNeeds.transactionKeys(drafts)).doOnNext(facts.transactions()::putAll),
                        readRooms(epoch, drafts, facts),
                        profiles.find(DraftNeeds.shown(drafts)).doOnNext(facts.copies()::putAll),
                        events.find(DraftNeeds.refs(drafts)).doOnNext(rows -> rows.forEach(facts.referred()::add)),
                        annotations
                                .find(DraftNeeds.annotations(drafts))
                                .doOnNext(rows -> rows.forEach(facts.referred()::annotate)),
                        receipts.find(Receipts.keys(drafts)).doOnNext(facts.receipts()::putAll),
                        readUpgrades(drafts, facts),
                        Mono.defer(() -> readState(drafts, facts)),
                        Mono.defer(() -> readSponsors(drafts, facts)))
                .then(Mono.just(facts));
    }

    private Mono<Void> readRooms(long epoch, List<RoomDraft> drafts, BatchFacts facts) {
        var keys = drafts.stream()
                .filter(draft -> !(draft instanceof OfCreation))
                .map(RoomDraft::room)
                .collect(Collectors.toCollection(LinkedHashSet::new));
        var exact = keys.stream()
                .map(key -> exact(epoch, key, facts))
                .filter(Objects::nonNull)
                .toList();
        exact.forEach(head -> keys.remove(head.key()));
        return rooms.heads(keys)
                .flatMap(heads -> readCores(
                        epoch, Stream.concat(exact.stream(), heads.stream()).toList(), facts));
    }

    /** The room's row from memory, if nobody else has appended to its shard since. */
    private @Nullable RoomHead exact(long epoch, TenantRoom key, BatchFacts facts) {
        var cached = cache.find(key, epoch);
        var row = cached == null ? null : cached.row();
        return row != null && row.run() == facts.runs().get(key.shard()) ? row.head() : null;
    }

    private Mono<Void> readCores(long epoch, List<RoomHead> heads, BatchFacts facts) {
        // read from the cache once: an entry may be evicted before the other reads end
        var cached = new HashMap<TenantRoom, CachedRoom>();
        var missing = new ArrayList<RoomStateKey>();
        for (var head : heads) {
            var room = cache.find(head.key(), epoch);
            if (room != null && room.statePos() == head.statePos()) {
                cached.put(head.key(), room);
            } else {
                CORE.forEach(type -> missing.add(new RoomStateKey(head.key(), StateKey.of(type))));
                if (head.key().room().isHash()) {
                    // names the creators, who have more power than any number
                    missing.add(new RoomStateKey(head.key(), StateKey.of(EventTypes.CREATE)));
                }
            }
        }
        return states.current(missing)
                .doOnNext(rows -> heads.forEach(head -> {
                    var room = cached.computeIfAbsent(head.key(), _ -> cachedRoom(head, rows));
                    facts.rooms().put(head.key(), new RoomWork(head, room));
                }))
                .then();
    }

    private static CachedRoom cachedRoom(RoomHead head, List<StateRow> rows) {
        var core = CoreState.of(head.creator());
        for (var row : rows) {
            if (row.room().equals(head.key())) {
                core = core.after(
                        row.state().type(), "", head.creator(), row.value().content());
            }
        }
        return new CachedRoom(head.statePos(), core);
    }

    private Mono<Void> readUpgrades(List<RoomDraft> drafts, BatchFacts facts) {
        return Flux.fromIterable(drafts)
                .ofType(OfUpgrade.class)
                .map(RoomDraft::room)
                .distinct()
                .concatMap(room -> upgrades.leaving(room)
                        .doOnNext(leaving -> facts.leaving().put(room, leaving)))
                .then();
    }

    private Mono<Void> readState(List<RoomDraft> drafts, BatchFacts facts) {
        var keys = new LinkedHashSet<RoomStateKey>();
        for (var draft : drafts) {
            var room = facts.rooms().get(draft.room());
            if (room != null) {
                DraftNeeds.needs(draft, room, facts.referred())
                        .forEach(state -> keys.add(new RoomStateKey(draft.room(), state)));
            }
        }
        return states.current(keys)
                .doOnNext(rows -> learn(facts, keys, rows))
                .then(Mono.defer(() -> readBans(facts, keys)));
    }

    private static void learn(BatchFacts facts, Set<RoomStateKey> keys, List<StateRow> rows) {
        var values = new HashMap<RoomStateKey, StateValue>();
        rows.forEach(row -> values.put(new RoomStateKey(row.room(), row.state()), row.value()));
        keys.forEach(key -> facts.existing(key.room()).learn(key.state(), values.get(key)));
    }

    private Mono<Void> readBans(BatchFacts facts, Set<RoomStateKey> keys) {
        var unknown = keys.stream()
                .filter(key -> facts.existing(key.room()).moreBans)
                .filter(key -> key.state().type().equals(EventTypes.MEMBER))
                .filter(key -> facts.existing(key.room()).value(key.state()) == null)
                .toList();
        return banCopies
                .banned(unknown)
                .doOnNext(banned -> banned.forEach((room, users) -> users.forEach(facts.existing(room)::learnBan)))
                .then();
    }

    /** The members who may vouch for restricted joins; only rooms with such a join are read. */
    private Mono<Void> readSponsors(List<RoomDraft> drafts, BatchFacts facts) {
        var restricted = new LinkedHashSet<RoomWork>();
        for (var draft : drafts) {
            var room = facts.rooms().get(draft.room());
            if (draft instanceof OfMember member
                    && member.restrictionMet()
                    && room != null
                    && room.core().joinRule().isRestricted()) {
                restricted.add(room);
            }
        }
        return Flux.fromIterable(restricted)
                .concatMap(room ->
                        sponsors(room).doOnNext(users -> facts.sponsors().put(room.key, users)))
                .then();
    }

    private Mono<List<UserId>> sponsors(RoomWork room) {
        var power = room.power();
        var powerful = new ArrayList<String>();
        var powerless = new ArrayList<String>();
        power.unbounded().forEach(user -> powerful.add(user.value()));
        power.users().forEach((user, level) -> (level >= power.invite() ? powerful : powerless).add(user));
        boolean anyone = power.usersDefault() >= power.invite();
        return states.sponsors(room.key, anyone, powerful, powerless);
    }
}
