// SPDX-License-Identifier: Apache-2.0
package rookery.sync.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;
import rookery.model.event.Membership;
import rookery.model.id.RoomId;
import rookery.model.id.UserId;
import rookery.model.topic.LogRecord;
import rookery.model.topic.RoomLogRecord;
import rookery.model.topic.RoomLogRecord.DeviceListChanged;
import rookery.platform.log.text.RoomLogText;
import rookery.sync.testing.ScriptedLog.Draft;
import rookery.sync.testing.ScriptedService.Lines;
import tools.jackson.databind.JsonNode;

/** Device list changes, computed by brute force: state by state. */
final class ScriptedDeviceLists {
    private final Map<RoomId, ScriptedRoom> rooms;
    private final ScriptedLog log;

    ScriptedDeviceLists(Map<RoomId, ScriptedRoom> rooms, ScriptedLog log) {
        this.rooms = rooms;
        this.log = log;
    }

    /** Appends the entries of a change; returns the records of each shard. */
    List<List<LogRecord>> change(UserId user) {
        var byShard = new TreeMap<Integer, List<RoomId>>();
        rooms.forEach((id, room) -> {
            if (room.membership(user, Long.MAX_VALUE) == Membership.JOIN) {
                byShard.computeIfAbsent(room.shard, _ -> new ArrayList<>()).add(id);
            }
        });
        var records = new ArrayList<List<LogRecord>>();
        byShard.forEach((shard, ids) -> {
            var changed = new DeviceListChanged(ids.stream().map(RoomId::hash).toList());
            var tenant = Objects.requireNonNull(rooms.get(ids.getFirst())).tenant;
            var draft = new Draft(RoomLogRecord.DEVICE_LIST, tenant, null, user, RoomLogText.write(changed));
            records.add(log.append(shard, List.of(draft)));
        });
        return records;
    }

    Object answer(JsonNode question) {
        var user = new UserId(question.path("user").stringValue());
        long[] since = ScriptedRooms.positions(question.path("since"));
        long[] upto = ScriptedRooms.positions(question.path("upto"));
        Set<String> changed = new TreeSet<>();
        Set<String> gone = new TreeSet<>();
        rooms.forEach((id, room) -> {
            var entries = log.upto(room.shard, upto[room.shard]);
            for (long pos = since[room.shard] + 1; pos <= upto[room.shard]; pos++) {
                Set<String> before = peers(room, user, pos - 1);
                Set<String> after = peers(room, user, pos);
                after.stream().filter(Predicate.not(before::contains)).forEach(changed::add);
                before.stream().filter(Predicate.not(after::contains)).forEach(gone::add);
                changedAt(entries, id, pos).filter(after::contains).forEach(changed::add);
            }
        });
        Set<String> shared = new TreeSet<>();
        rooms.values().forEach(room -> shared.addAll(peers(room, user, upto[room.shard])));
        changed.retainAll(shared);
        gone.removeAll(shared);
        int end = changed.size() + gone.size();
        return new Lines(
                List.of(Map.of("changed", changed), Map.of("left", gone), Map.of("epoch", log.epoch(), "end", end)));
    }

    /** The members who share the room with the user at the position. */
    private static Set<String> peers(ScriptedRoom room, UserId user, long pos) {
        var memberships = room.memberships(pos);
        if (memberships.get(user.value()) != Membership.JOIN) {
            return Set.of();
        }
        Set<String> peers = new TreeSet<>(memberships.keySet());
        peers.removeIf(member -> memberships.get(member) != Membership.JOIN);
        peers.remove(user.value());
        return peers;
    }

    private static Stream<String> changedAt(List<LogRecord> entries, RoomId id, long pos) {
        return entries.stream()
                .skip(pos - 1)
                .limit(1)
                .filter(entry -> entry.kind().equals(RoomLogRecord.DEVICE_LIST))
                .filter(entry -> entry.body().contains(Long.toString(id.hash())))
                .map(entry -> Objects.requireNonNull(entry.subject()).value());
    }
}
