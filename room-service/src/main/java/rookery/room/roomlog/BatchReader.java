package rookery.room.roomlog;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.event.EventTypes;
import rookery.model.id.EventId;
import rookery.model.id.TenantRoom;
import rookery.model.id.TenantUser;
import rookery.model.id.UserId;
import rookery.platform.log.append.BatchJudge.ShardDrafts;
import rookery.room.authorization.PowerLevels;
import rookery.room.draft.RoomDraft;
import rookery.room.draft.RoomDraft.OfCreation;
import rookery.room.draft.RoomDraft.OfMember;
import rookery.room.draft.RoomDraft.OfUpgrade;
import rookery.room.inbox.ProfileCopies;
import rookery.room.inbox.ProfileCopies.ProfileCopy;
import rookery.room.roomlog.Rooms.RoomHead;
import rookery.room.roomlog.States.StateRow;
import rookery.room.table.Annotations;
import rookery.room.table.BanCopies;
import rookery.room.table.RoomStateKey;
import rookery.room.table.StateKey;
import rookery.room.table.StateValue;
import rookery.room.table.Upgrades;
import rookery.room.table.Upgrades.UpgradeFacts;
import rookery.room.transaction.TransactionKey;
import rookery.room.transaction.Transactions;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads the facts that the drafts of a batch need, under the locks of the shards. Only single pieces of state are read,
 * and usually none for a room whose state has not changed since this instance's last batch.
 */
@Component
class BatchReader {
    private static final int ROOMS_MAX = 10_000;
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
    private final Cache<InEpoch, CachedRoom> cache =
            Caffeine.newBuilder().maximumSize(ROOMS_MAX).build();

    BatchReader(
            Rooms rooms,
            States states,
            Events events,
            Annotations annotations,
            Transactions transactions,
            ProfileCopies profiles,
            Receipts receipts,
            Upgrades upgrades,
            BanCopies banCopies) {
        this.rooms = rooms;
        this.states = states;
        this.events = events;
        this.annotations = annotations;
        this.transactions = transactions;
        this.profiles = profiles;
        this.receipts = receipts;
        this.upgrades = upgrades;
        this.banCopies = banCopies;
    }

    Mono<BatchFacts> read(List<ShardDrafts<RoomDraft>> batch) {
        long epoch = batch.getFirst().head().epoch(); // all shards have the same epoch
        return read(
                epoch, batch.stream().flatMap(shard -> shard.drafts().stream()).toList());
    }

    private Mono<BatchFacts> read(long epoch, List<RoomDraft> drafts) {
        var keys = drafts.stream()
                .filter(draft -> !(draft instanceof OfCreation))
                .map(RoomDraft::room)
                .collect(Collectors.toCollection(LinkedHashSet::new));
        return transactions
                .find(DraftNeeds.transactionKeys(drafts))
                .flatMap(done -> rooms.heads(keys)
                        .flatMap(there -> works(epoch, there).flatMap(works -> filled(drafts, there, works, done))));
    }

    /** A room in an epoch of the log: positions from before a restored backup are not comparable with positions after. */
    private record InEpoch(TenantRoom room, long epoch) {}

    /** Caches the rooms as of a committed batch. */
    void remember(long epoch, Collection<RoomWork> works) {
        works.forEach(work -> cache.put(new InEpoch(work.key, epoch), work.toCached()));
    }

    private Mono<Map<TenantRoom, RoomWork>> works(long epoch, List<RoomHead> there) {
        // read from the cache once: an entry may be evicted before the other reads end
        var cached = new HashMap<TenantRoom, CachedRoom>();
        var wanted = new ArrayList<RoomStateKey>();
        for (var room : there) {
            var known = cache.getIfPresent(new InEpoch(room.key(), epoch));
            if (known != null && known.statePos() == room.statePos()) {
                cached.put(room.key(), known);
            } else {
                CORE.forEach(type -> wanted.add(new RoomStateKey(room.key(), StateKey.of(type))));
            }
        }
        return states.current(wanted).map(found -> works(there, cached, found));
    }

    private static Map<TenantRoom, RoomWork> works(
            List<RoomHead> heads, Map<TenantRoom, CachedRoom> cached, List<StateRow> found) {
        var core = new HashMap<RoomStateKey, ObjectNode>();
        found.forEach(
                f -> core.put(new RoomStateKey(f.room(), f.state()), f.value().content()));
        var works = new HashMap<TenantRoom, RoomWork>();
        for (var room : heads) {
            var known = cached.get(room.key());
            works.put(
                    room.key(),
                    new RoomWork(
                            room.key(),
                            known == null ? read(room, core) : known,
                            room.joined(),
                            room.invited(),
                            room.published(),
                            room.stateBytes()));
        }
        return works;
    }

    private static CachedRoom read(RoomHead room, Map<RoomStateKey, ObjectNode> core) {
        var power = core.get(new RoomStateKey(room.key(), StateKey.of(EventTypes.POWER_LEVELS)));
        return new CachedRoom(
                room.statePos(),
                room.creator(),
                power,
                power == null ? PowerLevels.ofCreator(room.creator()) : PowerLevels.of(power),
                RoomWork.joinRule(core.get(new RoomStateKey(room.key(), StateKey.of(EventTypes.JOIN_RULES)))),
                RoomWork.visibility(core.get(new RoomStateKey(room.key(), StateKey.of(EventTypes.HISTORY_VISIBILITY)))),
                new ConcurrentHashMap<>());
    }

    private Mono<BatchFacts> filled(
            List<RoomDraft> drafts,
            List<RoomHead> there,
            Map<TenantRoom, RoomWork> works,
            Map<TransactionKey, EventId> done) {
        var moreBans =
                there.stream().filter(RoomHead::moreBans).map(RoomHead::key).collect(Collectors.toSet());
        return more(drafts)
                .zipWhen(more -> filled(drafts, works, more.referred(), moreBans))
                .map(read -> new BatchFacts(
                        works,
                        done,
                        read.getT2(),
                        read.getT1().copies(),
                        read.getT1().referred(),
                        read.getT1().receipts(),
                        read.getT1().leaving()));
    }

    /** Reads the needed state into the rooms, and the sponsors of restricted joins. */
    private Mono<Map<TenantRoom, List<UserId>>> filled(
            List<RoomDraft> drafts,
            Map<TenantRoom, RoomWork> works,
            ReferredEvents referred,
            Set<TenantRoom> moreBans) {
        var wanted = new LinkedHashSet<RoomStateKey>();
        for (var draft : drafts) {
            var work = works.get(draft.room());
            if (work != null) {
                DraftNeeds.needs(draft, work, referred)
                        .forEach(state -> wanted.add(new RoomStateKey(draft.room(), state)));
            }
        }
        return states.current(wanted)
                .doOnNext(found -> learn(works, wanted, found))
                .then(Mono.defer(() -> learnBans(works, wanted, moreBans)))
                .then(Mono.defer(() -> sponsors(drafts, works)));
    }

    private record ReferredRows(
            Map<TenantUser, ProfileCopy> copies,
            ReferredEvents referred,
            Map<Receipts.Key, Receipts.Current> receipts,
            Map<TenantRoom, UpgradeFacts> leaving) {}

    /** The facts that do not depend on the state of the rooms. */
    private Mono<ReferredRows> more(List<RoomDraft> drafts) {
        return profiles.find(DraftNeeds.shown(drafts))
                .zipWhen(_ -> referred(drafts))
                .zipWhen(_ -> receipts.find(Receipts.keys(drafts)))
                .zipWhen(
                        _ -> leaving(drafts),
                        (read, leaving) -> new ReferredRows(
                                read.getT1().getT1(), read.getT1().getT2(), read.getT2(), leaving));
    }

    private Mono<Map<TenantRoom, UpgradeFacts>> leaving(List<RoomDraft> drafts) {
        return Flux.fromIterable(drafts)
                .ofType(OfUpgrade.class)
                .map(RoomDraft::room)
                .distinct()
                .concatMap(room -> upgrades.leaving(room).map(leaving -> Map.entry(room, leaving)))
                .collectMap(Map.Entry::getKey, Map.Entry::getValue);
    }

    private Mono<ReferredEvents> referred(List<RoomDraft> drafts) {
        return events.find(DraftNeeds.refs(drafts))
                .zipWhen(_ -> annotations.find(DraftNeeds.annotations(drafts)))
                .map(both -> new ReferredEvents(both.getT1(), both.getT2()));
    }

    private static void learn(Map<TenantRoom, RoomWork> works, Set<RoomStateKey> wanted, List<StateRow> found) {
        var values = new HashMap<RoomStateKey, StateValue>();
        found.forEach(f -> values.put(new RoomStateKey(f.room(), f.state()), f.value()));
        for (var state : wanted) {
            Objects.requireNonNull(works.get(state.room())).learn(state.state(), values.get(state));
        }
    }

    private Mono<Void> learnBans(Map<TenantRoom, RoomWork> works, Set<RoomStateKey> wanted, Set<TenantRoom> moreBans) {
        var unheardOf = wanted.stream()
                .filter(state -> moreBans.contains(state.room()))
                .filter(state -> state.state().type().equals(EventTypes.MEMBER))
                .filter(state -> Objects.requireNonNull(works.get(state.room())).value(state.state()) == null)
                .toList();
        return banCopies
                .banned(unheardOf)
                .doOnNext(banned -> banned.forEach(
                        (room, users) -> users.forEach(Objects.requireNonNull(works.get(room))::learnBan)))
                .then();
    }

    /** The members who may vouch for restricted joins, by room; only rooms with such a join are read. */
    private Mono<Map<TenantRoom, List<UserId>>> sponsors(List<RoomDraft> drafts, Map<TenantRoom, RoomWork> works) {
        var restricted = new LinkedHashSet<TenantRoom>();
        for (var draft : drafts) {
            var work = works.get(draft.room());
            if (draft instanceof OfMember member
                    && member.restrictionMet()
                    && work != null
                    && work.joinRule().endsWith("restricted")) {
                restricted.add(draft.room());
            }
        }
        return Flux.fromIterable(restricted)
                .concatMap(room -> sponsors(Objects.requireNonNull(works.get(room))))
                .collectMap(Map.Entry::getKey, Map.Entry::getValue);
    }

    private Mono<Map.Entry<TenantRoom, List<UserId>>> sponsors(RoomWork room) {
        var power = room.power();
        var powerful = new ArrayList<String>();
        var powerless = new ArrayList<String>();
        power.users().forEach((user, level) -> (level >= power.invite() ? powerful : powerless).add(user));
        boolean anyone = power.usersDefault() >= power.invite();
        return states.sponsors(room.key, anyone, powerful, powerless).map(users -> Map.entry(room.key, users));
    }
}
