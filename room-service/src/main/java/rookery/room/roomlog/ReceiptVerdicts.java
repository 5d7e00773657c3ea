// SPDX-License-Identifier: Apache-2.0
package rookery.room.roomlog;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.event.Membership;
import rookery.model.event.ReceiptTypes;
import rookery.model.id.TenantRoom;
import rookery.model.id.UserId;
import rookery.model.topic.RoomLogRecord;
import rookery.model.topic.RoomLogRecord.Receipt;
import rookery.model.topic.RoomLogRecord.ReceiptsSet;
import rookery.platform.log.append.EntryDraft;
import rookery.platform.log.append.Outcome;
import rookery.platform.log.text.RoomLogText;
import rookery.room.draft.RoomAnswer;
import rookery.room.draft.RoomDraft.OfReceipts;
import rookery.room.draft.RoomDraft.ReadEvent;

/**
 * Judges receipts. All receipts of a batch for one room become one entry, and one more entry for each user with private
 * receipts, so that many readers of one event cost one entry.
 *
 * <p>The first draft with a new receipt reserves the entry's position; later drafts add to the entry's text.
 */
final class ReceiptVerdicts {
    private final BatchFacts facts;
    private final EntryWriter writer;
    private final BatchRows rows;
    private final long nowMillis;
    private final Map<Audience, ReceiptGroup> gathered = new LinkedHashMap<>();
    /** Entries by the index of the draft that reserved the position. */
    private final Map<Integer, List<ReceiptGroup>> carried = new HashMap<>();

    /** @param subject null for all members of the room */
    private record Audience(TenantRoom room, @Nullable UserId subject) {}

    private record ReceiptGroup(Audience audience, long pos, Map<Receipts.Key, Receipt> receipts) {}

    ReceiptVerdicts(BatchFacts facts, EntryWriter writer, BatchRows rows, long nowMillis) {
        this.facts = facts;
        this.writer = writer;
        this.rows = rows;
        this.nowMillis = nowMillis;
    }

    /** @param outcome the index of the draft in the batch */
    Outcome<RoomAnswer> receipts(int outcome, OfReceipts draft) {
        if (facts.existing(draft.room()).membership(draft.sender()) != Membership.JOIN) {
            throw new ApiException(ErrorCode.M_FORBIDDEN, "you are not in the room");
        }
        draft.reads().forEach(read -> take(outcome, draft, read));
        return Outcomes.unchanged(null);
    }

    private void take(int outcome, OfReceipts draft, ReadEvent read) {
        var receipt = new Receipt(read.event(), read.pos(), read.type(), draft.sender(), read.thread(), nowMillis);
        var key = Receipts.Key.of(draft.room(), receipt);
        var before = facts.receipts().get(key);
        var inBatch = rows.receipts.get(key);
        long readTo = inBatch != null ? inBatch.receipt().pos() : before != null ? before.eventPos() : 0;
        if (read.pos() <= readTo) {
            return; // moves backwards, or repeats the receipt
        }
        boolean isPrivate = read.type().equals(ReceiptTypes.READ_PRIVATE);
        var entry = gathered.computeIfAbsent(
                new Audience(draft.room(), isPrivate ? draft.sender() : null), audience -> begun(outcome, audience));
        entry.receipts.put(key, receipt);
        rows.receipts.put(key, new Receipts.Row(receipt, entry.pos));
        if (before != null) {
            rows.outdated.add(new Receipts.Entry(writer.shard(), before.pos()));
        }
    }

    private ReceiptGroup begun(int outcome, Audience audience) {
        long pos = writer.position() + 1;
        writer.continueAt(pos);
        var entry = new ReceiptGroup(audience, pos, new LinkedHashMap<>());
        carried.computeIfAbsent(outcome, _ -> new ArrayList<>()).add(entry);
        return entry;
    }

    /** Replaces the outcomes that reserved positions, after all drafts are judged and the entries are complete. */
    void putInto(List<Outcome<RoomAnswer>> outcomes) {
        carried.forEach((outcome, entries) -> outcomes.set(
                outcome,
                Outcomes.accepted(entries.stream().map(ReceiptVerdicts::draft).toList(), null)));
    }

    private static EntryDraft draft(ReceiptGroup entry) {
        var room = entry.audience.room;
        var text = RoomLogText.write(new ReceiptsSet(List.copyOf(entry.receipts.values())));
        return new EntryDraft(RoomLogRecord.RECEIPT, room.tenant(), room.room(), entry.audience.subject, text);
    }
}
