// SPDX-License-Identifier: Apache-2.0
package rookery.sync.testing;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import rookery.model.event.ReceiptTypes;
import rookery.model.filter.RoomFilter;
import rookery.model.id.EventId;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.model.topic.LogRecord;
import rookery.model.topic.RoomLogRecord;
import rookery.model.topic.RoomLogRecord.Receipt;
import rookery.model.topic.RoomLogRecord.ReceiptsSet;
import rookery.platform.log.text.RoomLogText;
import rookery.sync.testing.ScriptedLog.Draft;

/** The receipts of scripted rooms, with room-service's answers by brute force. */
final class ScriptedReceipts {
    private final List<LogRecord> entries = new ArrayList<>();

    List<LogRecord> append(
            ScriptedLog log,
            int shard,
            TenantId tenant,
            RoomId room,
            UserId user,
            String type,
            EventId event,
            @Nullable String thread) {
        boolean isPrivate = type.equals(ReceiptTypes.READ_PRIVATE);
        var receipt = new Receipt(event, log.find(shard, room, event), type, user, thread, 1000);
        var text = RoomLogText.write(new ReceiptsSet(List.of(receipt)));
        var draft = new Draft(RoomLogRecord.RECEIPT, tenant, room, isPrivate ? user : null, text);
        var records = log.append(shard, List.of(draft));
        entries.addAll(records);
        return records;
    }

    /** Only the reader's own receipts if the filter excludes receipts. */
    List<Receipt> between(RoomId room, long after, long upto, UserId reader, RoomFilter filter) {
        boolean isWanted = filter.ephemeral().passesType("m.receipt");
        var newest = new LinkedHashMap<String, Receipt>();
        for (var entry : entries) {
            if (room.equals(entry.room())
                    && entry.pos() > after
                    && entry.pos() <= upto
                    && (entry.subject() == null || entry.subject().equals(reader))
                    && RoomLogText.read(entry.kind(), entry.body()) instanceof ReceiptsSet set) {
                set.receipts().forEach(r -> newest.put(r.user() + r.type() + r.thread(), r));
            }
        }
        return newest.values().stream()
                .filter(receipt -> isWanted || (after > 0 && receipt.user().equals(reader)))
                .toList();
    }

    /** Adds the receipts to the room's section, or adds a section for them. */
    static void add(List<Map<String, Object>> sections, RoomId id, int shard, long after, List<Receipt> read) {
        if (read.isEmpty()) {
            return;
        }
        for (var section : sections) {
            if (id.value().equals(section.get("room_id"))) {
                section.put("receipts", read);
                return;
            }
        }
        var quiet = new LinkedHashMap<String, Object>();
        quiet.put("room_id", id.value());
        quiet.put("shard", shard);
        quiet.put("section", "join");
        quiet.put("timeline", List.of());
        quiet.put("state", List.of());
        quiet.put("limited", false);
        quiet.put("prev_pos", after);
        quiet.put("receipts", read);
        sections.add(quiet);
    }
}
