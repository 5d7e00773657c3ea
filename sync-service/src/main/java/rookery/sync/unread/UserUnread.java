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
 * What one connected user has not read. Of rooms in which nothing happened since push-service told of all rooms nothing is
 * held: there is nothing unread.
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
    /** Where in the user log the rules or the ignore list were set last. */
    private UserLogPosition settings = UserLogPosition.NOTHING;

    /** Of the settings that are known here. */
    private long version;

    private Set<String> ignored = Set.of();
    private int shards;

    /** What is known of the user now, and where this node stands. */
    public record View(UserId user, long epoch, Positions now, long userEpoch, CountSettings settings, long nanos) {}

    /** What must be asked of push-service: of some rooms, or (null) of all. */
    record Question(@Nullable Map<RoomId, CountsQuery> rooms) {}

    /** Takes notice of what changed beside the log. Must be told before anything else is asked of this. */
    public synchronized void begin(View view) {
        shards = view.now.shards();
        corrections.begin(view.nanos);
        if (epoch != view.epoch) {
            forget();
            epoch = view.epoch;
        }
        if (rules == null || view.settings.version() >= version) { // else another request has brought newer ones
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

    /** What was told with the other list is told anew; push-service may find nothing else then. */
    private void ignore(Set<String> users) {
        if (!ignored.equals(users)) {
            rooms.forEach((room, state) -> correct(
                    room,
                    state.isTold()
                            && !state.counts(Long.MAX_VALUE, ignored).equals(state.counts(Long.MAX_VALUE, users))));
            ignored = users;
        }
    }

    /**
     * What was judged stands, but push-service may have judged by the other rules, and knows what was not counted. What it says
     * before it has heard of the new ones is not final.
     */
    private void recheck(Positions now) {
        if (whole.at() != null || !rooms.isEmpty()) {
            whole = whole.changed(counted(now));
        }
    }

    /** How far anything has been counted: another request may have looked further than the one that stands there. */
    private Positions counted(Positions now) {
        var furthest = now;
        for (var state : rooms.values()) {
            if (state.known() > furthest.at(state.shard())) {
                furthest = furthest.with(state.shard(), state.known());
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

    /** Follows a room up to a position that the node has reached, to see what must be asked. */
    public synchronized void look(Place place, long upto, JudgedEvents judged) {
        followed(place, upto, judged);
    }

    /** What the user is told of a room as of a position that the node has reached. */
    public synchronized Counts tell(Place place, long upto, JudgedEvents judged) {
        var state = followed(place, upto, judged);
        whole = whole.told();
        if (state == null) {
            return Counts.NONE;
        }
        state.setTold();
        return state.counts(upto, ignored);
    }

    /** The user is told of a room of which this node knows nothing yet. */
    public synchronized void guess() {
        whole = whole.open().told();
    }

    /** Null if nothing has happened since a time when nothing was unread, as far as is known here. */
    private @Nullable RoomUnread followed(Place place, long upto, JudgedEvents judged) {
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

    private @Nullable RoomUnread begun(Place place) {
        var at = whole.at();
        long told = at == null ? 0 : at.at(place.shard());
        long from = Math.max(told, place.joinedFrom()); // when they joined, nothing was unread either
        if (!place.ring().hasNewsAfter(from)) {
            return null;
        }
        var rest = place.ring().rest(from, user());
        // other rules may have been in force when those came that push-service has judged already
        boolean isCut = rest.completeFrom() > from;
        if (at == null || (isCut && rest.events().isEmpty())) {
            whole = whole.open();
        }
        // a word from before the cut would not help: it is asked until it reaches so far
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
            throw new IllegalStateException("not begun");
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

    private void follow(Place place, RoomUnread state, long upto, JudgedEvents judged) {
        if (!place.ring().hasNewsAfter(state.known())) {
            return;
        }
        long receiptsUpto = Math.max(upto, place.ring().receipts().last());
        var rest = place.ring().rest(state.known(), user());
        if (rest.completeFrom() > state.known()) {
            state.miss(rest.completeFrom());
        }
        new Walk(place, ready(), judged, state).over(rest.events(), upto);
        for (var receipt : rest.receipts()) {
            state.read(receipt.thread(), receipt.pos(), receiptsUpto);
        }
        state.seen(upto, ignored);
    }

    /** What must be asked now; null if nothing, or if it was asked a moment ago. */
    synchronized @Nullable Question question(long nanos) {
        if (!isDue(nanos)) {
            return null;
        }
        pauses.begin(nanos);
        if (whole instanceof Open || doubtful.size() > ASKED_MAX) {
            return new Question(null);
        }
        var asked = new LinkedHashMap<RoomId, CountsQuery>();
        rooms.forEach((room, state) -> {
            if (doubtful.contains(room)) {
                asked.put(room, state.ask());
            }
        });
        return new Question(asked);
    }

    /** The user is not in the room any more. */
    public synchronized void left(RoomId room) {
        drop(room);
    }

    /** Whether push-service must be asked, now or later. */
    public synchronized boolean isWanting() {
        return whole instanceof Open || !doubtful.isEmpty();
    }

    /** Rooms of which push-service must be asked, now or a moment later. */
    public synchronized Set<RoomId> doubtful() {
        return Set.copyOf(doubtful);
    }

    /** Everything was told. Returns whether something must be asked later. */
    public synchronized boolean isUnsettled() {
        if (!isWanting()) {
            pauses.reset(); // the next doubt is a new one
        }
        return isWanting();
    }

    /** Whether something must be asked now. */
    public synchronized boolean isDue(long nanos) {
        return isWanting() && pauses.areOver(nanos);
    }

    /** Whether just these users are left out of all counts. */
    public synchronized boolean isWithout(Set<String> users) {
        return ignored.equals(users);
    }

    /** How many rooms something is held of. */
    public synchronized int size() {
        return rooms.size();
    }

    /**
     * Takes push-service's word.
     *
     * @param places of the rooms that the user is joined to
     */
    synchronized void install(
            Question question,
            ToldCounts told,
            Function<Collection<RoomId>, Map<RoomId, Place>> places,
            JudgedEvents judged) {
        if (told.epoch() != epoch) {
            return; // the next try will tell
        }
        var asked = question.rooms;
        var concerned = new LinkedHashSet<>(asked == null ? told.rooms().keySet() : asked.keySet());
        if (asked == null) {
            concerned.addAll(rooms.keySet());
        }
        var joined = places.apply(concerned);
        concerned.stream().filter(room -> !joined.containsKey(room)).forEach(this::drop);
        joined.forEach((room, place) -> install(
                place,
                told.positions().at(place.shard()),
                told.rooms().getOrDefault(room, Map.of()),
                asked == null ? null : asked.get(room),
                judged));
        whole = whole.heard(told.heard().isAtLeast(settings), told.counted());
        if (asked == null && whole.isNews(told.positions())) {
            whole = whole.answered(told.positions());
            rooms.values().removeIf(RoomUnread::isNothing);
        }
    }

    private void drop(RoomId room) {
        rooms.remove(room);
        doubtful.remove(room);
    }

    private void install(
            Place place, long at, Map<String, Tally> told, @Nullable CountsQuery asked, JudgedEvents judged) {
        var state = rooms.get(place.room());
        if (state == null) {
            if (!told.isEmpty()) {
                var fresh = new RoomUnread(place.shard(), at);
                fresh.install(at, told, asked);
                rooms.put(place.room(), fresh);
                correct(place.room(), whole.isGuessed());
            }
            return;
        }
        var before = state.counts(Long.MAX_VALUE, ignored);
        if (!state.isPast(at)) {
            state.install(at, told, asked);
        } else if (place.ring().rest(at, user()).completeFrom() <= at) {
            long known = state.known();
            state.rewind(at, told);
            state.joined(place.joinedFrom());
            follow(place, state, known, judged);
            state.trust(asked);
        } else {
            state.installOlder(at, told, asked);
        }
        state.joined(place.joinedFrom());
        note(place.room(), state);
        correct(place.room(), state.isTold() && !before.equals(state.counts(Long.MAX_VALUE, ignored)));
    }

    private void correct(RoomId room, boolean isWrong) {
        if (isWrong) {
            corrections.add(room);
        }
    }

    /** The number of the last correction: counts turned out to be others than the user was told. */
    public synchronized long corrected() {
        return corrections.last();
    }

    /** The rooms whose counts were corrected after that one. */
    public synchronized Set<RoomId> corrections(long after) {
        return corrections.after(after);
    }

    /** Whether all corrections after that one are remembered here. */
    public synchronized boolean remembersCorrections(long after) {
        return corrections.remembers(after);
    }
}
