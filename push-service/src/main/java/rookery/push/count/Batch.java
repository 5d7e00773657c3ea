package rookery.push.count;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import rookery.model.id.TenantRoom;
import rookery.model.topic.RoomLogRecord;
import rookery.model.topic.RoomLogRecord.DeviceListChanged;
import rookery.model.topic.RoomLogRecord.EventAppended;
import rookery.model.topic.RoomLogRecord.ListingSet;
import rookery.model.topic.RoomLogRecord.ReceiptsSet;
import rookery.model.topic.RoomLogRecord.RoomPurged;
import rookery.platform.log.follow.Derivation.News;
import rookery.push.count.ReadPositions.ReadUpdate;

/** What a stretch of one shard told, in the order of the log. */
final class Batch {
    final List<LoggedEvent> events = new ArrayList<>();
    /** Of member events, by whose membership it is. */
    final Map<RoomUser, List<LoggedEvent>> memberEvents = new LinkedHashMap<>();
    /** The furthest of each user and thread, by receipts and by what they sent. */
    private final Map<ReadUpdate, ReadUpdate> readings = new HashMap<>();

    static Batch of(List<News<RoomLogRecord>> news) {
        var batch = new Batch();
        news.forEach(batch::add);
        return batch;
    }

    List<ReadUpdate> readings() {
        return List.copyOf(readings.values());
    }

    private void add(News<RoomLogRecord> news) {
        var entry = news.entry();
        var room = new TenantRoom(entry.tenant(), Objects.requireNonNull(entry.room()));
        switch (news.told()) {
            case EventAppended event -> add(new LoggedEvent(room, entry.shard(), entry.pos(), entry.subject(), event));
            case ListingSet _ -> {} // nobody is told of it
            case DeviceListChanged _ -> {} // it is of no room, and not wanted
            case RoomPurged _ -> {} // room-service asks for the removal once this is counted
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
        var known = readings.get(key);
        if (known == null || known.pos() < reading.pos()) {
            readings.put(key, reading);
        }
    }
}
