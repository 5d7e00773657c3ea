// SPDX-License-Identifier: Apache-2.0
package rookery.sync.unread;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import rookery.model.id.RoomId;
import rookery.model.id.UserId;
import rookery.model.token.Positions;
import rookery.sync.unread.Counts.Tally;
import rookery.sync.unread.RoomUnread.CountsQuery;
import rookery.sync.unread.WholeAnswer.Open;

/**
 * The unread counts of one connected user. Rooms without events since push-service's last answer for all rooms have no state:
 * they have no unread events.
 */
public final class UserUnread {
    private static final int ASKED_MAX = 100;

    private final Map<RoomId, RoomUnread> rooms = new HashMap<>();
    private final Set<RoomId> doubtful = new LinkedHashSet<>();
    private final Corrections corrections = new Corrections();
    private final AskingPauses pauses = new AskingPauses();
    private long epoch;
    private WholeAnswer whole = WholeAnswer.none();

    private @Nullable Rules rules;
    /** The position of the last change of rules or ignore list. */
    private UserLogPosition settings = UserLogPosition.NOTHING;

    /** The version of the known settings. */
    private long version;

    private Set<String> ignored = Set.of();
    private int shards;

    /** The user's present settings, and this node's positions. */
    public record View(UserId user, long epoch, Positions now, long userEpoch, CountSettings settings, long nanos) {}

    /** A request to push-service: for some rooms, or (null) for all. */
    record RoomsToAsk(@Nullable Map<RoomId, CountsQuery> rooms) {}

    /** Applies changes of settings and epochs. Must come first in each look. */
    public synchronized void begin(View view) {
        shards = view.now.shards();
        corrections.begin(view.nanos);
        if (epoch != view.epoch) {
            forget();
            epoch = view.epoch;
        }
        if (rules == null
                || view.settings.version() >= version) { // otherwise another request has brought newer settings
            version = view.settings.version();
            take(view);
        }
    }

    private void take(View view) {
        var now = view.settings;
        if (rules == null || !rules.areOf(now.rules())) {
            rules = new Rules(view.user, now.rules());
        }
        ignore(now.ignored());
        var set = new UserLogPosition(view.userEpoch, now.at());
        if (!settings.equals(set)) {
            settings = set;
            recheck(view.now);
        }
    }

    /** Counts that differ under the new ignore list become corrections; push-service's next answer would not reveal them. */
    private void ignore(Set<String> users) {
        if (!ignored.equals(users)) {
            rooms.forEach((room, state) -> correct(
                    room,
                    state.isDelivered()
                            && !state.counts(Long.MAX_VALUE, ignored).equals(state.counts(Long.MAX_VALUE, users))));
            ignored = users;
        }
    }

    /**
     * Earlier verdicts stay, but push-service may judge by other rules, and knows events that were not counted.
     * Counts of push-service are provisional until push-service has the new settings.
     */
    private void recheck(Positions now) {
        if (whole.at() != null || !rooms.isEmpty()) {
            whole = whole.changed(counted(now));
        }
    }

    /** The furthest counted positions: another request may have counted further than {@code now}. */
    private Positions counted(Positions now) {
        var furthest = now;
        for (var state : rooms.values()) {
            if (state.countedTo() > furthest.at(state.shard())) {
                furthest = furthest.with(state.shard(), state.countedTo());
            }
        }
        return furthest;
    }

    private void forget() {
        rooms.clear();
        doubtful.clear();
        corrections.clear();
        whole = WholeAnswer.none();
    }

    /** Counts a room up to a position that the node has reached, to find doubts. */
    public synchronized void look(CountedRoom place, long upto, JudgedEvents judged) {
        followed(place, upto, judged);
    }

    /** The counts of a room as of a position that the node has reached. */
    public synchronized Counts countsOf(CountedRoom place, long upto, JudgedEvents judged) {
        var state = followed(place, upto, judged);
        whole = whole.delivered();
        if (state == null) {
            return Counts.NONE;
        }
        state.setDelivered();
        return state.counts(upto, ignored);
    }

    /** The answer contains a room that this node has not counted. */
    public synchronized void guess() {
        whole = whole.open().delivered();
    }

    /** Null if no event has come since the room had no unread events. */
    private @Nullable RoomUnread followed(CountedRoom place, long upto, JudgedEvents judged) {
        var state = rooms.get(place.room());
        if (state == null) {
            state = begun(place);
            if (state == null) {
                return null;
            }
            rooms.put(place.room(), state);
        }
        state.joined(place.joinedFrom());
        follow(place, state, upto, judged);
        note(place.room(), state);
        return state;
    }

    private @Nullable RoomUnread begun(CountedRoom place) {
        var at = whole.at();
        long answeredTo = at == null ? 0 : at.at(place.shard());
        long from = Math.max(answeredTo, place.joinedFrom()); // a join starts without unread events
        if (!place.ring().hasNewsAfter(from)) {
            return null;
        }
        var rest = place.ring().rest(from, user());
        // push-service may have judged earlier events by older rules
        boolean isCut = rest.completeFrom() > from;
        if (at == null || (isCut && rest.events().isEmpty())) {
            whole = whole.open();
        }
        // an answer from before the cut does not help: ask until one reaches the cut
        if (isCut && whole instanceof Open open) {
            whole = open.notBefore(shards, place.shard(), rest.completeFrom());
        }
        return rest.events().isEmpty() ? null : new RoomUnread(place.shard(), from);
    }

    private UserId user() {
        return ready().user;
    }

    private Rules ready() {
        if (rules == null) {
            throw new IllegalStateException("begin() was not called");
        }
        return rules;
    }

    private void note(RoomId room, RoomUnread state) {
        if (state.isCertain()) {
            doubtful.remove(room);
        } else {
            doubtful.add(room);
        }
    }

    private void follow(CountedRoom place, RoomUnread state, long upto, JudgedEvents judged) {
        if (!place.ring().hasNewsAfter(state.countedTo())) {
            return;
        }
        long receiptsUpto = Math.max(upto, place.ring().receipts().last());
        var rest = place.ring().rest(state.countedTo(), user());
        if (rest.completeFrom() > state.countedTo()) {
            state.miss(rest.completeFrom());
        }
        new Walk(place, ready(), judged, state).over(rest.events(), upto);
        for (var receipt : rest.receipts()) {
            state.read(receipt.thread(), receipt.pos(), receiptsUpto);
        }
        state.seen(upto, ignored);
    }

    /** The request to make now; null without doubts, or during a pause. */
    synchronized @Nullable RoomsToAsk toAsk(long nanos) {
        if (!isDue(nanos)) {
            return null;
        }
        pauses.begin(nanos);
        if (whole instanceof Open || doubtful.size() > ASKED_MAX) {
            return new RoomsToAsk(null);
        }
        var queries = new LinkedHashMap<RoomId, CountsQuery>();
        rooms.forEach((room, state) -> {
            if (doubtful.contains(room)) {
                queries.put(room, state.query());
            }
        });
        return new RoomsToAsk(queries);
    }

    /** Whether push-service must be asked, now or later. */
    public synchronized boolean hasDoubts() {
        return whole instanceof Open || !doubtful.isEmpty();
    }

    /** The rooms for which push-service must be asked. */
    public synchronized Set<RoomId> doubtful() {
        return Set.copyOf(doubtful);
    }

    /** Returns whether doubts are left after an answer. */
    public synchronized boolean isUnsettled() {
        if (!hasDoubts()) {
            pauses.reset(); // the next doubt starts a new series of pauses
        }
        return hasDoubts();
    }

    /** Whether push-service must be asked now. */
    public synchronized boolean isDue(long nanos) {
        return hasDoubts() && pauses.areOver(nanos);
    }

    /** Whether the counts exclude exactly these users. */
    public synchronized boolean isWithout(Set<String> users) {
        return ignored.equals(users);
    }

    /** The number of rooms with state. */
    public synchronized int size() {
        return rooms.size();
    }

    /** Installs push-service's counts; {@code places} looks up the user's joined rooms. */
    synchronized void install(
            RoomsToAsk toAsk,
            PushServiceCounts counts,
            Function<Collection<RoomId>, Map<RoomId, CountedRoom>> places,
            JudgedEvents judged) {
        if (counts.epoch() != epoch) {
            return; // another epoch: the next call brings usable counts
        }
        var queries = toAsk.rooms;
        var roomIds = new LinkedHashSet<>(queries == null ? counts.rooms().keySet() : queries.keySet());
        if (queries == null) {
            roomIds.addAll(rooms.keySet());
        }
        var joined = places.apply(roomIds);
        roomIds.stream().filter(room -> !joined.containsKey(room)).forEach(this::drop);
        joined.forEach((room, place) -> install(
                place,
                counts.positions().at(place.shard()),
                counts.rooms().getOrDefault(room, Map.of()),
                queries == null ? null : queries.get(room),
                judged));
        whole = whole.responded(counts.userLog().isAtLeast(settings), counts.counted());
        if (queries == null && whole.isNews(counts.positions())) {
            whole = whole.answered(counts.positions());
            rooms.values().removeIf(RoomUnread::isNothing);
        }
    }

    /** Drops a room that the user has left. */
    public synchronized void drop(RoomId room) {
        rooms.remove(room);
        doubtful.remove(room);
    }

    private void install(
            CountedRoom place, long at, Map<String, Tally> tallies, @Nullable CountsQuery query, JudgedEvents judged) {
        var state = rooms.get(place.room());
        if (state == null) {
            if (!tallies.isEmpty()) {
                var fresh = new RoomUnread(place.shard(), at);
                fresh.install(at, tallies, query);
                rooms.put(place.room(), fresh);
                correct(place.room(), whole.isGuessed());
            }
            return;
        }
        var before = state.counts(Long.MAX_VALUE, ignored);
        if (!state.isPast(at)) {
            state.install(at, tallies, query);
        } else if (place.ring().rest(at, user()).completeFrom() <= at) {
            long countedTo = state.countedTo();
            state.rewind(at, tallies);
            state.joined(place.joinedFrom());
            follow(place, state, countedTo, judged);
            state.trust(query);
        } else {
            state.installOlder(at, tallies, query);
        }
        state.joined(place.joinedFrom());
        note(place.room(), state);
        correct(place.room(), state.isDelivered() && !before.equals(state.counts(Long.MAX_VALUE, ignored)));
    }

    private void correct(RoomId room, boolean isWrong) {
        if (isWrong) {
            corrections.add(room);
        }
    }

    /** The number of the last correction. */
    public synchronized long corrected() {
        return corrections.last();
    }

    /** The rooms corrected after the number. */
    public synchronized Set<RoomId> corrections(long after) {
        return corrections.after(after);
    }

    /** Whether all corrections after the number are kept. */
    public synchronized boolean remembersCorrections(long after) {
        return corrections.remembers(after);
    }
}
