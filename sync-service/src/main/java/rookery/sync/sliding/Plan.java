// SPDX-License-Identifier: Apache-2.0
package rookery.sync.sliding;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import rookery.model.event.Membership;
import rookery.model.id.RoomId;
import rookery.model.id.Shards;
import rookery.model.token.Positions;
import rookery.sync.answer.RoomStart;
import rookery.sync.inbox.ListedRoom;
import rookery.sync.inbox.RoomMemberships.RoomNews;
import rookery.sync.sliding.ConnectionState.SentRoom;
import rookery.sync.sliding.Window.WindowRoom;

/**
 * What an answer contains of which room, and the state of the connection after the answer.
 *
 * <p>A room that the client has received up to its token, with news and without a place in the answer, is noted with the position of
 * the token: its next content begins there, so that no event is left out and a gap is shown as one.
 */
final class Plan {
    private final Map<RoomId, PlannedRoom> rooms = new LinkedHashMap<>();
    private final Map<RoomId, RoomStart> starts = new HashMap<>();
    private final List<RoomNews> warm = new ArrayList<>();
    private final List<RoomId> cold = new ArrayList<>();
    private final Map<RoomId, @Nullable SentRoom> changes = new HashMap<>();
    private final ConnectionState before;
    private final @Nullable Positions since;
    private final Window window;
    private int free;

    /**
     * A room of the answer.
     *
     * @param isInitial whether the client has nothing of the room
     * @param isExpanded whether the timeline begins before the events that the client has
     * @param from the position up to which the client has received the room
     */
    record PlannedRoom(WindowRoom room, boolean isInitial, boolean isExpanded, long from) {}

    private Plan(Window window, ConnectionState before, @Nullable Positions since, int roomsMax) {
        this.window = window;
        this.before = before;
        this.since = since;
        this.free = roomsMax;
    }

    /**
     * @param all all rooms of the user
     * @param since the positions of the client's token; null for a new connection
     * @param roomsMax the most rooms to read for one answer; the others follow with the next answers
     */
    static Plan of(
            Window window, List<ListedRoom> all, ConnectionState before, @Nullable Positions since, int roomsMax) {
        var plan = new Plan(window, before, since, roomsMax);
        plan.addEnds(all);
        window.rooms().values().forEach(plan::addReceived);
        window.rooms().values().forEach(plan::addOther);
        plan.noteOthers(all);
        return plan;
    }

    /** Rooms that the user is no longer in, although the client has them: whether in a window or not. */
    private void addEnds(List<ListedRoom> all) {
        var known = new HashMap<RoomId, ListedRoom>();
        all.forEach(room -> known.put(room.room(), room));
        before.rooms().forEach((id, sent) -> {
            var room = known.getOrDefault(id, forgotten(id));
            if (room.isLeft()) {
                long from = from(room, sent);
                changes.put(id, null);
                if (room.membershipPos() > from) {
                    read(window.rooms().getOrDefault(id, new WindowRoom(room, sent.config(), List.of())), from);
                }
            }
        });
        if (since != null) {
            all.stream()
                    .filter(room -> room.isLeft()
                            && before.of(room.room()) == null
                            && room.membershipPos() > since.at(room.shard()))
                    .forEach(room -> read(
                            new WindowRoom(room, RoomConfig.of(0, StateRequest.NONE), List.of()),
                            since.at(room.shard())));
        }
    }

    /** A room that the user has left so long ago that this node does not remember. */
    private static ListedRoom forgotten(RoomId room) {
        return new ListedRoom(
                room, Shards.of(room.value()), Membership.LEAVE, Long.MAX_VALUE, 0, null, Map.of(), null, null);
    }

    private void read(WindowRoom room, long from) {
        plan(new PlannedRoom(room, false, false, from), from);
    }

    /** Rooms of the window that the client has: their news come first. */
    private void addReceived(WindowRoom room) {
        var listed = room.listed();
        var sent = before.of(listed.room());
        if (sent == null || listed.isLeft()) {
            return;
        }
        long from = from(listed, sent);
        boolean isExpanded = room.config().hasLongerTimeline(sent.config()) && listed.isJoined();
        boolean hasMoreState = room.config().hasMoreState(sent.config()) && listed.isJoined();
        if (isExpanded || hasMoreState || listed.hasNewsAfter(from)) {
            if (free <= 0) {
                leaveFor(listed, sent, from);
                return;
            }
            boolean isRejoined = listed.isJoined() && listed.joinedFrom() > from;
            boolean isWhole = isExpanded || hasMoreState || isRejoined;
            plan(new PlannedRoom(room, isRejoined, isExpanded, from), isWhole ? 0 : from);
        }
        received(listed.room(), room.config(), sent);
    }

    private void addOther(WindowRoom room) {
        var listed = room.listed();
        if (before.of(listed.room()) == null && !listed.isLeft() && free > 0) {
            plan(new PlannedRoom(room, true, false, 0), 0);
            received(listed.room(), room.config(), null);
        }
    }

    private void plan(PlannedRoom planned, long readFrom) {
        var listed = planned.room.listed();
        free--;
        rooms.put(listed.room(), planned);
        boolean hasMembers = readFrom == 0 && !planned.isInitial;
        starts.put(listed.room(), new RoomStart(readFrom, hasMembers ? planned.from : 0));
        var ring = listed.ring();
        if (listed.isJoined() && ring != null && readFrom > 0) {
            warm.add(listed.news(ring));
        } else {
            cold.add(listed.room());
        }
    }

    private void received(RoomId room, RoomConfig config, @Nullable SentRoom sent) {
        boolean isPlanned = rooms.containsKey(room);
        if (sent == null || !sent.isLive() || (isPlanned && !sent.config().equals(config))) {
            changes.put(room, new SentRoom(isPlanned || sent == null ? config : sent.config(), SentRoom.LIVE));
        }
    }

    /** Rooms that the client has, outside of the window: with news they are no longer received up to the token. */
    private void noteOthers(List<ListedRoom> all) {
        for (var room : all) {
            var sent = before.of(room.room());
            if (sent != null
                    && sent.isLive()
                    && !room.isLeft()
                    && !window.rooms().containsKey(room.room())) {
                long from = from(room, sent);
                if (room.hasNewsAfter(from)) {
                    leaveFor(room, sent, from);
                }
            }
        }
    }

    private void leaveFor(ListedRoom room, SentRoom sent, long from) {
        if (sent.isLive()) {
            changes.put(room.room(), new SentRoom(sent.config(), from));
        }
    }

    /** The position up to which the client has received a room. */
    private long from(ListedRoom room, SentRoom sent) {
        if (since == null) {
            return 0;
        }
        long token = since.at(room.shard());
        return sent.isLive() ? token : Math.min(sent.upTo(), token);
    }

    Window window() {
        return window;
    }

    @Nullable
    PlannedRoom of(RoomId room) {
        return rooms.get(room);
    }

    /** Whether the rest of the answer, such as receipts, may be about the room. */
    boolean covers(RoomId room) {
        return rooms.containsKey(room) || (window.rooms().containsKey(room) && !isLeftOut(room));
    }

    private boolean isLeftOut(RoomId room) {
        var change = changes.get(room);
        return (change == null && before.of(room) == null) || (change != null && !change.isLive());
    }

    List<RoomNews> warm() {
        return warm;
    }

    List<RoomId> cold() {
        return cold;
    }

    Map<RoomId, RoomStart> starts() {
        return starts;
    }

    ConnectionState stateAfter() {
        return before.with(changes);
    }

    /** Whether rooms of the window are left to the next answer. */
    boolean hasMore() {
        return free <= 0;
    }
}
