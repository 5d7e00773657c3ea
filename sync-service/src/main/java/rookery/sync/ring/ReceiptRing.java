// SPDX-License-Identifier: Apache-2.0
package rookery.sync.ring;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;
import rookery.model.event.ReceiptTypes;
import rookery.model.id.UserId;
import rookery.model.topic.RoomLogRecord.Receipt;
import rookery.model.topic.RoomLogRecord.ReceiptsSet;

/** The recently changed receipts of a room, complete after {@code completeFrom}. */
public final class ReceiptRing {
    private static final int RECEIPTS_MAX = 1_000;
    /** The approximate size of a receipt. */
    private static final int RECEIPT_BYTES = 400;

    /** Ordered by change, newest last. */
    private final LinkedHashMap<ReceiptKey, Entry> entries = new LinkedHashMap<>();

    private final RingBudget.Share share;
    private long completeFrom;
    private volatile long last;

    private record ReceiptKey(
            UserId user, String type, @Nullable String thread) {}

    private record Entry(Receipt receipt, long pos, long nanos) {}

    ReceiptRing(long completeFrom, RingBudget budget) {
        this.completeFrom = completeFrom;
        this.last = completeFrom;
        this.share = budget.share();
    }

    void close() {
        share.close();
    }

    /** The approximate size of the receipts that changed since {@code nanos}. */
    synchronized long bytesSince(long nanos) {
        long sum = 0;
        for (var entry : entries.sequencedValues().reversed()) {
            if (entry.nanos - nanos < 0) {
                break;
            }
            sum += RECEIPT_BYTES;
        }
        return sum;
    }

    private void account() {
        share.resize((long) RECEIPT_BYTES * entries.size());
    }

    /** The position of the last change, or of an unreadable one. */
    public long last() {
        return last;
    }

    /** Adds the room's next receipts; repeated ones are ignored. */
    public synchronized void add(ReceiptsSet set, long pos, long nanos) {
        if (pos <= last) {
            return;
        }
        for (var receipt : set.receipts()) {
            var key = new ReceiptKey(receipt.user(), receipt.type(), receipt.thread());
            entries.remove(key); // moves to the end
            entries.put(key, new Entry(receipt, pos, nanos));
        }
        last = pos;
        while (entries.size() > RECEIPTS_MAX) {
            dropFirst();
        }
        account();
    }

    /** Marks unreadable receipts: the ring is complete only after the position. */
    public synchronized void miss(long pos) {
        if (pos > last) {
            entries.clear();
            completeFrom = pos;
            last = pos;
            account();
        }
    }

    synchronized void dropBefore(long nanos) {
        while (!entries.isEmpty() && entries.values().iterator().next().nanos - nanos < 0) {
            dropFirst();
        }
        account();
    }

    private void dropFirst() {
        var all = entries.values().iterator();
        completeFrom = all.next().pos;
        all.remove();
    }

    /** The receipts visible to the reader in {@code (after, upto]}, in order; null if the ring is incomplete there. */
    public synchronized @Nullable List<Receipt> between(long after, long upto, UserId reader) {
        if (last <= after) {
            return List.of();
        }
        if (after < completeFrom) {
            return null;
        }
        var changed = new ArrayList<Receipt>();
        for (var entry : entries.values()) {
            if (entry.pos > after && entry.pos <= upto && isShownTo(reader, entry.receipt)) {
                changed.add(entry.receipt);
            }
        }
        return changed;
    }

    /** A user's own receipts in {@code (after, upto]}, unordered; null if the ring is incomplete there. */
    public synchronized @Nullable List<Receipt> ownBetween(long after, long upto, UserId user) {
        return last > after && after < completeFrom ? null : own(after, upto, user);
    }

    /** A user's own receipts in {@code (after, upto]}, as far as kept. */
    public synchronized List<Receipt> own(long after, long upto, UserId user) {
        var own = new ArrayList<Receipt>();
        if (last > after) {
            for (var entry : entries.sequencedValues().reversed()) {
                if (entry.pos <= after) {
                    break;
                }
                if (entry.pos <= upto && entry.receipt.user().equals(user)) {
                    own.add(entry.receipt);
                }
            }
        }
        return own;
    }

    /** The first position from {@code after} on after which the ring is complete. */
    synchronized long completeAfter(long after) {
        return last > after ? Math.max(after, completeFrom) : after;
    }

    private static boolean isShownTo(UserId reader, Receipt receipt) {
        return !receipt.type().equals(ReceiptTypes.READ_PRIVATE)
                || receipt.user().equals(reader);
    }
}
