// SPDX-License-Identifier: Apache-2.0
package rookery.sync.inbox;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import rookery.model.error.ApiException;
import rookery.model.event.Membership;
import rookery.model.id.RoomId;
import rookery.model.token.Positions;
import rookery.sync.ring.EarlierMemberships;
import rookery.sync.ring.RoomActivity.LastActivity;
import rookery.sync.ring.RoomPart.Line;
import rookery.sync.ring.RoomRing;
import rookery.sync.ring.WarmRoom.MetMembership;
import rookery.sync.unread.CountedRoom;
import rookery.sync.unread.Name;

/**
 * A connected user's memberships: a snapshot from room-service, kept current by the user's member events from the log. Member
 * events during the load are gathered and applied after the snapshot, so that none is lost.
 */
public final class RoomMemberships {
    private static final int GONE_MAX = 200;
    /** Before a room's {@link MembershipHistory#met} would exceed this size, its earlier entries are dropped. */
    private static final int MET_MAX = 300;

    private final Map<RoomId, MembershipHistory> histories = new HashMap<>();
    /**
     * Rooms that the user has left or is banned from, with the position: those of the snapshot in the order of its rooms, then by
     * departure. The first is forgotten first.
     */
    private final Map<RoomId, Long> gone = new LinkedHashMap<>();

    private final List<OwnMemberEvent> gathered = new ArrayList<>();
    private boolean gathering;
    /** The snapshot's positions; null before the snapshot. */
    private @Nullable Positions snapshotAt;
    /** The history is complete after these positions; forgetting a left room raises them. Null if not loaded. */
    private @Nullable Positions knownFrom;

    /**
     * A room to read from memory: joined throughout, with new entries in the ring. The ring may not reach back far enough.
     *
     * @param earlier and {@code met}: see {@link WarmRoom.WarmReader}
     */
    public record RoomNews(
            RoomId room,
            int shard,
            long joinedFrom,
            @Nullable EarlierMemberships earlier,
            Map<String, MetMembership> met,
            RoomRing ring) {}

    /**
     * Rooms with possible changes.
     *
     * @param rooms to read from rings
     * @param unclear to read from room-service: the membership changed (joined, left, invited, knocked), no ring is attached, or
     *     the history begins too late
     */
    public record News(List<RoomNews> rooms, List<RoomId> unclear) {}

    /** A room that the user is joined to. */
    public record JoinedRoom(int shard, long joinedFrom) {}

    /** What a member event means for the room's ring. */
    enum RingChange {
        /** The user is joined now and reads the ring. */
        KEEP,
        /** The user is not joined any more and does not read the ring. */
        RELEASE,
        /** No change, or none yet. */
        NONE
    }

    /** Drops everything, and gathers member events for a snapshot that is requested next. */
    synchronized void gather() {
        forget();
        gathering = true;
    }

    synchronized void forget() {
        gathering = false;
        gathered.clear();
        histories.clear();
        gone.clear();
        snapshotAt = null;
        knownFrom = null;
    }

    /** Whether the user may have, or have had, a membership of the room; true for every room while gathering. */
    synchronized boolean mayKnow(RoomId room) {
        return gathering || histories.containsKey(room);
    }

    /** Whether the memberships are loaded. */
    public synchronized boolean isKnown() {
        return knownFrom != null;
    }

    /** A look must not read unloaded memberships as empty: the next token would skip changes. */
    private void needKnown() {
        if (knownFrom == null) {
            throw notLoadedError();
        }
    }

    /** Whether the position is after the snapshot. */
    synchronized boolean isNewTo(int shard, long pos) {
        return snapshotAt != null && pos > snapshotAt.at(shard);
    }

    /** Installs a snapshot and returns its joined rooms. The caller applies the gathered events next. */
    synchronized List<RoomAt> install(MembershipsClient.Snapshot snapshot) {
        if (!gathering) {
            throw notLoadedError();
        }
        snapshotAt = Positions.of(snapshot.positions());
        knownFrom = snapshot.after() == null ? snapshotAt : snapshot.after().min(snapshotAt);
        gathering = false;
        var joined = new ArrayList<RoomAt>();
        for (var room : snapshot.rooms()) {
            long joinedFrom = room.joinedFrom() == null ? room.pos() : room.joinedFrom();
            var span = MembershipSpan.ofSnapshot(room.membership(), room.pos(), joinedFrom, room.earlier());
            var history = new MembershipHistory(room.shard(), span, null);
            histories.put(room.roomId(), history);
            remember(room.roomId(), room.pos(), history);
            if (span.isJoined()) {
                joined.add(new RoomAt(room.roomId(), room.shard()));
            }
        }
        return joined;
    }

    /** The error for memberships or account data that are not loaded, or were dropped. */
    static ApiException notLoadedError() {
        return ApiException.unavailable("this part of the server is starting again, try again in a moment");
    }

    synchronized List<OwnMemberEvent> takeGathered() {
        var taken = List.copyOf(gathered);
        gathered.clear();
        return taken;
    }

    /** Applies a member event; while gathering, keeps the event for later. */
    synchronized RingChange apply(OwnMemberEvent own) {
        if (gathering) {
            gathered.add(own);
            return RingChange.NONE;
        }
        if (snapshotAt == null || own.pos() <= snapshotAt.at(own.shard())) {
            return RingChange.NONE;
        }
        var history = histories.get(own.room());
        if (history == null) {
            history = new MembershipHistory(
                    own.shard(), MembershipSpan.first(own.change().after(), own.pos()), own.name());
            histories.put(own.room(), history);
            remember(own.room(), own.pos(), history);
            return history.span.isJoined() ? RingChange.KEEP : RingChange.NONE;
        }
        if (own.pos() <= history.span.pos()) {
            return RingChange.NONE;
        }
        boolean wasJoined = history.span.isJoined();
        history.then(own);
        remember(own.room(), own.pos(), history);
        return wasJoined == history.span.isJoined()
                ? RingChange.NONE
                : wasJoined ? RingChange.RELEASE : RingChange.KEEP;
    }

    /** Keeps left rooms for tokens from before the departure, up to a limit. */
    private void remember(RoomId room, long pos, MembershipHistory history) {
        gone.remove(room);
        if (isGone(history.span.membership())) {
            gone.put(room, pos);
        }
        if (gone.size() > GONE_MAX && knownFrom != null) {
            var oldest = gone.entrySet().iterator().next();
            var forgotten = histories.remove(oldest.getKey());
            gone.remove(oldest.getKey());
            if (forgotten != null && knownFrom.at(forgotten.shard) < oldest.getValue()) {
                knownFrom = knownFrom.with(forgotten.shard, oldest.getValue());
            }
        }
    }

    private static boolean isGone(Membership membership) {
        return membership == Membership.LEAVE || membership == Membership.BAN;
    }

    synchronized void attach(RoomId room, @Nullable RoomRing ring) {
        var history = histories.get(room);
        if (history != null) {
            history.ring = ring;
        }
    }

    /** The rooms with a ring attached. */
    synchronized Collection<RoomId> attachedRooms() {
        return histories.entrySet().stream()
                .filter(entry -> entry.getValue().ring != null)
                .map(Map.Entry::getKey)
                .toList();
    }

    /** The rooms with possible changes in {@code (since, upto]}; null if the known history begins later. */
    public synchronized @Nullable News news(Positions since, Positions upto) {
        if (knownFrom == null || !since.isAtLeast(knownFrom)) {
            return null;
        }
        var rooms = new ArrayList<RoomNews>();
        var unclear = new ArrayList<RoomId>();
        for (var entry : histories.entrySet()) {
            var room = entry.getKey();
            var history = entry.getValue();
            long from = since.at(history.shard);
            long to = upto.at(history.shard);
            if (from >= to) {
                continue;
            }
            var span = history.span.at(to);
            if (span == null) {
                if (history.span.isCut()) {
                    unclear.add(room);
                }
            } else if (!span.isJoined() || span.joinedFrom() > from) {
                if (span.pos() > from) {
                    unclear.add(room);
                }
            } else if (history.ring == null) {
                unclear.add(room);
            } else if (history.ring.hasNewsAfter(from)) {
                rooms.add(new RoomNews(
                        room, history.shard, span.joinedFrom(), span.earlier(), history.met, history.ring));
            }
        }
        return new News(rooms, unclear);
    }

    /**
     * The rooms that the user has, or has had, a membership of at the positions, for the lists of sliding sync. Null if a membership
     * at the positions is not known any more: the caller looks again, at later positions.
     */
    public synchronized @Nullable List<ListedRoom> listed(Positions upto) {
        needKnown();
        var listed = new ArrayList<ListedRoom>(histories.size());
        for (var entry : histories.entrySet()) {
            var history = entry.getValue();
            var span = history.span.at(upto.at(history.shard));
            if (span != null) {
                listed.add(history.listed(entry.getKey(), span));
            } else if (history.span.isCut()) {
                return null;
            }
        }
        return listed;
    }

    /** Takes the activity of a room from room-service; without effect after a further change of the membership. */
    public synchronized void learnActivity(ListedRoom listed, LastActivity activity) {
        var history = histories.get(listed.room());
        if (listed.ring() != null) {
            listed.ring().activity().learn(activity);
        } else if (history != null && history.span.pos() == listed.membershipPos()) {
            history.activity = activity;
        }
    }

    /** The room, if the user is joined at the positions. */
    public synchronized @Nullable JoinedRoom joined(RoomId room, Positions upto) {
        needKnown();
        var history = histories.get(room);
        var span = joinedAt(history, upto);
        return history == null || span == null ? null : new JoinedRoom(history.shard, span.joinedFrom());
    }

    /** The rooms that the user is joined to at the positions. */
    public synchronized List<RoomId> joinedRooms(Positions upto) {
        needKnown();
        return histories.entrySet().stream()
                .filter(entry -> joinedAt(entry.getValue(), upto) != null)
                .map(Map.Entry::getKey)
                .toList();
    }

    /** The rooms that the user is joined to at {@code upto}, and joined after {@code since}. */
    public synchronized List<RoomId> joinedSince(Positions since, Positions upto) {
        needKnown();
        var joined = new ArrayList<RoomId>();
        histories.forEach((room, history) -> {
            var span = joinedAt(history, upto);
            if (span != null && span.joinedFrom() > since.at(history.shard)) {
                joined.add(room);
            }
        });
        return joined;
    }

    /** The given rooms that the user is joined to at the positions, if a ring is attached. */
    public synchronized Map<RoomId, CountedRoom> countedRooms(Collection<RoomId> rooms, Positions upto) {
        needKnown();
        var result = new LinkedHashMap<RoomId, CountedRoom>();
        for (var room : rooms) {
            var history = histories.get(room);
            var span = joinedAt(history, upto);
            if (history != null && history.ring != null && span != null) {
                result.put(room, new CountedRoom(room, history.shard, span.joinedFrom(), history.name, history.ring));
            }
        }
        return result;
    }

    /** Sets the user's display name from a member event, if the event is still current. */
    public synchronized void learnName(RoomId room, long pos, Name name) {
        var history = histories.get(room);
        if (history != null && history.span.pos() == pos) {
            history.name = name;
        }
    }

    /** Whether the user is joined at present. */
    public synchronized boolean isJoined(RoomId room) {
        var history = histories.get(room);
        return history != null && history.span.isJoined();
    }

    /** The rooms that the user is joined to at the positions, with the number of readers on this node: 0 without a ring. */
    public synchronized Map<RoomId, Integer> readersOfJoinedRooms(Positions upto) {
        needKnown();
        var readers = new HashMap<RoomId, Integer>();
        histories.forEach((room, history) -> {
            if (joinedAt(history, upto) != null) {
                readers.put(room, history.ring == null ? 0 : history.ring.readers());
            }
        });
        return readers;
    }

    /** Visits a room with the user's ring. */
    public interface RoomVisitor {
        void visit(RoomId room, int shard, RoomRing ring);
    }

    /**
     * Visits the rooms that the user was joined to throughout {@code (since, upto]}. Returns false if only room-service knows the
     * changes: the user joined or left a room, a room has no ring attached, or the known history begins later.
     */
    public synchronized boolean visitStays(Positions since, Positions upto, RoomVisitor visitor) {
        if (knownFrom == null || !since.isAtLeast(knownFrom)) {
            return false;
        }
        for (var entry : histories.entrySet()) {
            var history = entry.getValue();
            long from = since.at(history.shard);
            long to = upto.at(history.shard);
            var span = from < to ? joinedAt(history, upto) : null;
            if (span != null && span.joinedFrom() <= from && history.ring != null) {
                visitor.visit(entry.getKey(), history.shard, history.ring);
            } else if (from < to && history.span.mayHaveJoinedSince(from)) {
                return false;
            }
        }
        return true;
    }

    /** Caches each member's newest event, as read for the user and current as of a position. */
    public synchronized void learn(RoomId room, List<Line> newest, long asOf) {
        var history = histories.get(room);
        if (history == null || history.ring == null) {
            return;
        }
        history.ring.learn(newest.stream().map(Line::ringEvent).toList(), asOf);
        if (history.span.earlier() != null) {
            return; // the earlier memberships decide
        }
        var met = new HashMap<>(
                history.met.size() + newest.size() > MET_MAX ? Map.<String, MetMembership>of() : history.met);
        long from = history.span.joinedFrom();
        newest.stream()
                .filter(line -> line.ringEvent().pos() < from) // the reader saw all later events
                .forEach(line -> met.put(String.valueOf(line.ringEvent().meta().stateKey()), MetMembership.of(line)));
        history.met = met; // copied, because a reader may use the map
    }

    private static @Nullable MembershipSpan joinedAt(@Nullable MembershipHistory history, Positions upto) {
        var span = history == null ? null : history.span.at(upto.at(history.shard));
        return span != null && span.isJoined() ? span : null;
    }
}
