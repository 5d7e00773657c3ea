// SPDX-License-Identifier: Apache-2.0
package rookery.push.count;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import rookery.model.id.TenantRoom;
import rookery.model.topic.RoomLogRecord;
import rookery.model.topic.RoomLogRecord.DeviceListChanged;
import rookery.model.topic.RoomLogRecord.EventAppended;
import rookery.model.topic.RoomLogRecord.ListingSet;
import rookery.model.topic.RoomLogRecord.ReceiptsSet;
import rookery.model.topic.RoomLogRecord.RoomPurged;
import rookery.platform.log.follow.Derivation.News;
import rookery.push.RoomUser;
import rookery.push.count.ReadPositions.ReadUpdate;

/** The entries of one batch of the room log, those of each shard in the order of the log. */
final class Batch {
    final List<LoggedEvent> events = new ArrayList<>();
    /** Member events by the user whose membership they change. */
    final Map<RoomUser, List<LoggedEvent>> memberEvents = new LinkedHashMap<>();
    /** The furthest read position by user and thread. Both receipts and own events move the position. */
    private final Map<ReadUpdate, ReadUpdate> readings = new HashMap<>();

    static Batch of(List<News<RoomLogRecord>> news) {
        var batch = new Batch();
        news.forEach(batch::add);
        return batch;
    }

    List<ReadUpdate> readings() {
        return List.copyOf(readings.values());
    }

    /** The rooms with redactions. */
    Set<TenantRoom> roomsOfRedacted() {
        return events.stream()
                .filter(event -> event.meta().redacts() != null)
                .map(LoggedEvent::room)
                .collect(Collectors.toCollection(HashSet::new));
    }

    private void add(News<RoomLogRecord> news) {
        var entry = news.entry();
        var room = new TenantRoom(entry.tenant(), Objects.requireNonNull(entry.room()));
        switch (news.parsedEntry()) {
            case EventAppended event -> add(new LoggedEvent(room, entry.shard(), entry.pos(), entry.subject(), event));
            case ListingSet _ -> {} // listings notify no user
            case DeviceListChanged _ -> {} // device lists belong to no room and are not followed here
            case RoomPurged _ -> {} // room-service requests the removal after this entry is counted
            case ReceiptsSet receipts -> {
                for (var receipt : receipts.receipts()) {
                    var thread = receipt.thread() == null ? ReadPositions.UNTHREADED : receipt.thread();
                    read(new ReadUpdate(new RoomUser(room, receipt.user()), thread, receipt.pos(), true));
                }
            }
        }
    }

    private void add(LoggedEvent event) {
        events.add(event);
        var subject = event.subject();
        if (event.isMember() && subject != null) {
            memberEvents
                    .computeIfAbsent(new RoomUser(event.room(), subject), _ -> new ArrayList<>())
                    .add(event);
        }
        var sender = new RoomUser(event.room(), event.meta().sender());
        read(new ReadUpdate(sender, event.thread(), event.pos(), false));
    }

    private void read(ReadUpdate reading) {
        var key = reading.at(0);
        var last = readings.get(key);
        if (last == null || last.pos() < reading.pos()) {
            readings.put(key, reading);
        }
    }
}
