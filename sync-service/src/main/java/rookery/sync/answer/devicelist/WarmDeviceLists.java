// SPDX-License-Identifier: Apache-2.0
package rookery.sync.answer.devicelist;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import rookery.model.event.Membership;
import rookery.model.id.RoomId;
import rookery.model.id.UserId;
import rookery.sync.answer.Look;
import rookery.sync.inbox.RoomMemberships.RoomVisitor;
import rookery.sync.ring.DeviceListRing;
import rookery.sync.ring.RingEvent;
import rookery.sync.ring.RoomRing;

/** Finds device list changes of a reader's rooms in memory: joins, departures, and changed devices. */
@Component
class WarmDeviceLists {
    private final DeviceListRing ring;

    WarmDeviceLists(DeviceListRing ring) {
        this.ring = ring;
    }

    /** The result of a search in memory. */
    sealed interface News {}

    /** No changes. */
    record Nothing() implements News {}

    /** Memory does not suffice; room-service knows. */
    record AskOwner() implements News {}

    /**
     * Changes among users who share rooms with the reader. Gone users have left some room of the reader; users of {@code left}
     * (contract.md 13.5) share no room any more. Only room-service knows which gone users share no room.
     *
     * @param came users who joined a room of the reader
     * @param changed users with changed devices or keys, perhaps gone
     * @param gone users who left exactly one room of the reader, with the departure
     */
    record PeerChanges(Set<UserId> came, Set<UserId> changed, Map<UserId, Departure> gone) implements News {}

    /** The position at which a user left a room. */
    record Departure(int shard, long pos) {}

    private static final News NOTHING = new Nothing();
    private static final News ASK_OWNER = new AskOwner();

    /** The changes in the range of the look. */
    News find(Look look) {
        var visit = new NewsVisitor(look);
        return look.inbox()
                        .memberships()
                        .visitStays(look.sinceToken().rooms(), look.next().rooms(), visit)
                ? visit.answer()
                : ASK_OWNER;
    }

    /** A room in which users came or went. */
    private record MovedRoom(int shard, RoomRing ring) {}

    /** Visits the reader's rooms. Without changes, the common case, allocates nothing but itself. */
    private final class NewsVisitor implements RoomVisitor {
        private final Look look;
        private final DeviceListRing.View devices = ring.view(); // before the visit of the rooms
        private @Nullable List<MovedRoom> moved;
        private @Nullable Map<Integer, Set<Long>> changed;

        NewsVisitor(Look look) {
            this.look = look;
        }

        @Override
        public void visit(RoomId room, int shard, RoomRing events) {
            long from = look.sinceToken().rooms().at(shard);
            if (events.lastMove() > from) {
                moved = moved == null ? new ArrayList<>() : moved;
                moved.add(new MovedRoom(shard, events));
            }
            if (devices.hasNewsAfter(shard, from)) {
                changed = changed == null ? new HashMap<>() : changed;
                changed.computeIfAbsent(shard, _ -> new HashSet<>()).add(room.hash());
            }
        }

        News answer() {
            if (moved == null && changed == null) {
                return NOTHING;
            }
            var peers = new PeerChanges(new LinkedHashSet<>(), new LinkedHashSet<>(), new LinkedHashMap<>());
            for (var room : moved == null ? List.<MovedRoom>of() : moved) {
                if (!move(room, peers)) {
                    return ASK_OWNER;
                }
            }
            for (var shard : (changed == null ? Map.<Integer, Set<Long>>of() : changed).entrySet()) {
                if (!change(shard.getKey(), shard.getValue(), peers)) {
                    return ASK_OWNER;
                }
            }
            peers.came.remove(look.poll().reader.user());
            peers.changed.remove(look.poll().reader.user()); // reported by the user log
            peers.gone.keySet().removeAll(peers.came);
            return peers;
        }

        /** False if the ring is incomplete, or if a user left several rooms: then room-service must be asked. */
        private boolean move(MovedRoom room, PeerChanges peers) {
            var range = room.ring.between(from(room.shard), upto(room.shard));
            if (range == null) {
                return false;
            }
            var last = new LinkedHashMap<UserId, RingEvent>();
            range.stream()
                    .filter(RingEvent::changesJoined)
                    .forEach(ringEvent -> last.put(member(ringEvent), ringEvent));
            boolean isClear = true;
            for (var each : last.entrySet()) {
                var ringEvent = each.getValue();
                if (ringEvent.meta().membership() == Membership.JOIN) {
                    peers.came.add(each.getKey());
                } else {
                    isClear &= peers.gone.put(each.getKey(), new Departure(room.shard, ringEvent.pos())) == null;
                }
            }
            return isClear;
        }

        private boolean change(int shard, Set<Long> rooms, PeerChanges peers) {
            var users = devices.changed(shard, from(shard), upto(shard), look.tenant(), rooms);
            if (users != null) {
                peers.changed.addAll(users);
            }
            return users != null;
        }

        private long from(int shard) {
            return look.sinceToken().rooms().at(shard);
        }

        private long upto(int shard) {
            return look.next().rooms().at(shard);
        }
    }

    private static UserId member(RingEvent ringEvent) {
        return new UserId(Objects.requireNonNull(ringEvent.meta().stateKey()));
    }
}
