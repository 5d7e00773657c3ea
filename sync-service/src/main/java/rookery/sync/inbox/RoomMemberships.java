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
import rookery.sync.ring.RoomPart.Line;
import rookery.sync.ring.RoomRing;
import rookery.sync.ring.WarmRoom;
import rookery.sync.ring.WarmRoom.MetMembership;
import rookery.sync.unread.Name;
import rookery.sync.unread.Place;

/**
 * What a connected user is to which rooms: a snapshot from room-service, kept current by the user's own member events. Those
 * that arrive while the snapshot is on its way are gathered, so that none falls between the two.
 */
public final class RoomMemberships {
    private static final int GONE_MAX = 200;
    private static final int MET_MAX = 300;

    private final Map<RoomId, MembershipHistory> places = new HashMap<>();
    /** Rooms the user is nothing to any more, the oldest first. */
    private final Map<RoomId, Long> gone = new LinkedHashMap<>();

    private final List<OwnMemberEvent> gathered = new ArrayList<>();
    private boolean gathering;
    private @Nullable Positions snapshotAt;
    private @Nullable Positions knownFrom;

    /** A room and its shard; with what is held of it while the user is joined. */
    record RoomAt(RoomId room, int shard) {}

    /** A room to look into: the reader was joined all the time, and something happened; see {@link WarmRoom.WarmReader}. */
    public record RoomNews(RoomId room, int shard, long joinedFrom, Map<String, MetMembership> met, RoomRing ring) {}

    /**
     * What may be new since a position.
     *
     * @param rooms rooms that may be told from memory
     * @param unclear rooms that only their owner can tell of: the user came, went, or was invited
     */
    public record News(List<RoomNews> rooms, List<RoomId> unclear) {}

    /** A room that the user is joined to. */
    public record JoinedRoom(int shard, long joinedFrom) {}

    private static final class MembershipHistory {
        final int shard;
        MembershipSpan span;

        @Nullable
        RoomRing ring;

        Map<String, MetMembership> met = Map.of();
        /** The user's name in the room, if it is known. */
        @Nullable
        Name name;

        MembershipHistory(int shard, MembershipSpan span, @Nullable Name name) {
            this.shard = shard;
            this.span = span;
            this.name = name;
        }
    }

    /** Forgets everything, and gathers from now on what a snapshot that is asked for later may not contain. */
    synchronized void gather() {
        forget();
        gathering = true;
    }

    synchronized void forget() {
        gathering = false;
        gathered.clear();
        places.clear();
        gone.clear();
        snapshotAt = null;
        knownFrom = null;
    }

    /** Whether the user is or was something to the room, as far as that is known here. */
    synchronized boolean mayKnow(RoomId room) {
        return gathering || places.containsKey(room);
    }

    /** Whether the rooms of the user are known here. */
    public synchronized boolean isKnown() {
        return knownFrom != null;
    }

    /** What is forgotten is not nothing: a token that went by it would pass by what was not told. */
    private void needKnown() {
        if (knownFrom == null) {
            throw overtaken();
        }
    }

    /** Whether the snapshot cannot have contained what happened there. */
    synchronized boolean isNewTo(int shard, long pos) {
        return snapshotAt != null && pos > snapshotAt.at(shard);
    }

    /** The rooms joined at the snapshot; what was gathered meanwhile must be applied next. */
    synchronized List<RoomAt> install(MembershipsClient.Snapshot snapshot) {
        if (!gathering) {
            throw overtaken();
        }
        snapshotAt = Positions.of(snapshot.positions());
        knownFrom = snapshot.after() == null ? snapshotAt : snapshot.after().min(snapshotAt);
        gathering = false;
        var joined = new ArrayList<RoomAt>();
        for (var room : snapshot.rooms()) {
            long joinedFrom = room.joinedFrom() == null ? room.pos() : room.joinedFrom();
            var span = MembershipSpan.known(room.membership(), room.pos(), joinedFrom);
            var stay = new MembershipHistory(room.shard(), span, null);
            places.put(room.roomId(), stay);
            remember(room.roomId(), room.pos(), stay);
            if (span.isJoined()) {
                joined.add(new RoomAt(room.roomId(), room.shard()));
            }
        }
        return joined;
    }

    /** Following began anew while the snapshot was on its way: what happened in between is nowhere. */
    static ApiException overtaken() {
        return ApiException.unavailable("this part of the server is starting again, try again in a moment");
    }

    synchronized List<OwnMemberEvent> takeGathered() {
        var taken = List.copyOf(gathered);
        gathered.clear();
        return taken;
    }

    /**
     * Applies one of the user's own member events.
     *
     * @return whether the room must be held from now on (true), or need not any more (false), or nothing changes (null)
     */
    synchronized @Nullable Boolean apply(OwnMemberEvent own) {
        if (gathering) {
            gathered.add(own);
            return null;
        }
        if (snapshotAt == null || own.pos() <= snapshotAt.at(own.shard())) {
            return null;
        }
        var place = places.get(own.room());
        if (place == null) {
            place = new MembershipHistory(
                    own.shard(), MembershipSpan.first(own.change().after(), own.pos()), own.name());
            places.put(own.room(), place);
            remember(own.room(), own.pos(), place);
            return place.span.isJoined() ? true : null;
        }
        if (own.pos() <= place.span.pos()) {
            return null;
        }
        boolean wasJoined = place.span.isJoined();
        place.span = place.span.then(own.change(), own.pos());
        place.name = own.name();
        remember(own.room(), own.pos(), place);
        return wasJoined == place.span.isJoined() ? null : !wasJoined;
    }

    /** A room that was left is remembered for readers who stand before that, but not for ever. */
    private void remember(RoomId room, long pos, MembershipHistory place) {
        gone.remove(room);
        if (isNothing(place.span.membership())) {
            gone.put(room, pos);
        }
        if (gone.size() > GONE_MAX && knownFrom != null) {
            var oldest = gone.entrySet().iterator().next();
            var forgotten = places.remove(oldest.getKey());
            gone.remove(oldest.getKey());
            if (forgotten != null && knownFrom.at(forgotten.shard) < oldest.getValue()) {
                knownFrom = knownFrom.with(forgotten.shard, oldest.getValue());
            }
        }
    }

    private static boolean isNothing(Membership membership) {
        return membership == Membership.LEAVE || membership == Membership.BAN;
    }

    synchronized void attach(RoomId room, @Nullable RoomRing ring) {
        var place = places.get(room);
        if (place != null) {
            place.ring = ring;
        }
    }

    /** The rooms of which something is held for this user. */
    synchronized Collection<RoomId> held() {
        return places.entrySet().stream()
                .filter(entry -> entry.getValue().ring != null)
                .map(Map.Entry::getKey)
                .toList();
    }

    /** What may be new in {@code (since, upto]}; null when this inbox does not reach back that far. */
    public synchronized @Nullable News news(Positions since, Positions upto) {
        if (knownFrom == null || !since.isAtLeast(knownFrom)) {
            return null;
        }
        var rooms = new ArrayList<RoomNews>();
        var unclear = new ArrayList<RoomId>();
        for (var entry : places.entrySet()) {
            var room = entry.getKey();
            var place = entry.getValue();
            long from = since.at(place.shard);
            long to = upto.at(place.shard);
            if (from >= to) {
                continue;
            }
            var span = at(place, to);
            if (span == null) {
                if (place.span.cut()) {
                    unclear.add(room);
                }
            } else if (!span.isJoined() || span.joinedFrom() > from) {
                if (span.pos() > from) {
                    unclear.add(room);
                }
            } else if (place.ring == null) {
                unclear.add(room);
            } else if (place.ring.hasNewsAfter(from)) {
                rooms.add(new RoomNews(room, place.shard, span.joinedFrom(), place.met, place.ring));
            }
        }
        return new News(rooms, unclear);
    }

    /** The room, if the user is joined to it at those positions. */
    public synchronized @Nullable JoinedRoom joined(RoomId room, Positions upto) {
        needKnown();
        var place = places.get(room);
        var span = place == null ? null : at(place, upto.at(place.shard));
        return place == null || span == null || !span.isJoined()
                ? null
                : new JoinedRoom(place.shard, span.joinedFrom());
    }

    /** The rooms that the user is joined to at those positions. */
    public synchronized List<RoomId> joinedRooms(Positions upto) {
        needKnown();
        var joined = new ArrayList<RoomId>();
        places.forEach((room, place) -> {
            var span = at(place, upto.at(place.shard));
            if (span != null && span.isJoined()) {
                joined.add(room);
            }
        });
        return joined;
    }

    /** The rooms that the user is joined to at {@code upto}, and has joined after {@code since}. */
    public synchronized List<RoomId> joinedSince(Positions since, Positions upto) {
        needKnown();
        var joined = new ArrayList<RoomId>();
        places.forEach((room, place) -> {
            long from = since.at(place.shard);
            long to = upto.at(place.shard);
            var span = from < to ? at(place, to) : null;
            if (span != null && span.isJoined() && span.joinedFrom() > from) {
                joined.add(room);
            }
        });
        return joined;
    }

    /** Those of the rooms that the user is joined to at those positions, and of which something is held here. */
    public synchronized Map<RoomId, Place> places(Collection<RoomId> rooms, Positions upto) {
        needKnown();
        var found = new LinkedHashMap<RoomId, Place>();
        for (var room : rooms) {
            var place = places.get(room);
            var span = place == null ? null : at(place, upto.at(place.shard));
            if (place != null && place.ring != null && span != null && span.isJoined()) {
                found.put(room, new Place(room, place.shard, span.joinedFrom(), place.name, place.ring));
            }
        }
        return found;
    }

    /** Learns the name that a member event of the user gives, if that one still is in force. */
    public synchronized void learnName(RoomId room, long pos, Name name) {
        var place = places.get(room);
        if (place != null && place.span.pos() == pos) {
            place.name = name;
        }
    }

    /** Whether the user is joined to the room now. */
    public synchronized boolean isJoined(RoomId room) {
        var place = places.get(room);
        return place != null && place.span.isJoined();
    }

    /** The rooms that the user is joined to at those positions, and how many of the users connected here are in each. */
    public synchronized Map<RoomId, Integer> joinedRings(Positions upto) {
        needKnown();
        var readers = new HashMap<RoomId, Integer>();
        places.forEach((room, place) -> {
            var span = at(place, upto.at(place.shard));
            if (span != null && span.isJoined()) {
                readers.put(room, place.ring == null ? 0 : place.ring.readers());
            }
        });
        return readers;
    }

    /** Looks into a room, the user's own ring of it. */
    public interface RoomVisitor {
        void visit(RoomId room, int shard, RoomRing ring);
    }

    /**
     * Visits the rooms in which the user was all the time in {@code (since, upto]}. Returns false when only room-service can say what
     * happened to those with whom the user shares rooms: the user came or went, or this inbox does not reach back that far.
     */
    public synchronized boolean visitStays(Positions since, Positions upto, RoomVisitor visitor) {
        if (knownFrom == null || !since.isAtLeast(knownFrom)) {
            return false;
        }
        for (var entry : places.entrySet()) {
            var place = entry.getValue();
            long from = since.at(place.shard);
            long to = upto.at(place.shard);
            var span = from < to ? at(place, to) : null;
            if (span != null && span.isJoined() && span.joinedFrom() <= from && place.ring != null) {
                visitor.visit(entry.getKey(), place.shard, place.ring);
            } else if (from < to && place.span.mayHaveJoinedSince(from)) {
                return false;
            }
        }
        return true;
    }

    /** What is held of the room, if the user is joined to it. */
    synchronized @Nullable RoomRing ring(RoomId room) {
        var place = places.get(room);
        return place == null ? null : place.ring;
    }

    /**
     * Learns the member events that were current at a position, as they were told to this user.
     *
     * @param newest the newest one of each member
     */
    public synchronized void learn(RoomId room, List<Line> newest, long asOf) {
        var place = places.get(room);
        if (place == null || place.ring == null) {
            return;
        }
        place.ring.learn(newest.stream().map(Line::held).toList(), asOf);
        var met =
                new HashMap<>(place.met.size() + newest.size() > MET_MAX ? Map.<String, MetMembership>of() : place.met);
        long from = place.span.joinedFrom();
        newest.stream()
                .filter(line -> line.held().pos() < from) // of later ones the reader saw all
                .forEach(line ->
                        met.put(String.valueOf(line.held().event().meta().stateKey()), MetMembership.told(line)));
        place.met = met; // a reader may still look into the one before
    }

    /** What the user was at that position; null when nothing, or when it is not remembered. */
    private static @Nullable MembershipSpan at(MembershipHistory place, long upto) {
        var span = place.span;
        while (span != null && span.pos() > upto) {
            span = span.before();
        }
        return span;
    }
}
