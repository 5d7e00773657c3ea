// SPDX-License-Identifier: Apache-2.0
package rookery.sync.ring;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import rookery.model.id.EventId;
import rookery.model.id.UserId;
import rookery.model.topic.RoomLogRecord.Receipt;
import rookery.sync.waiting.Waiters;

/**
 * The recent events of a room, complete after {@code completeFrom} up to the node's position.
 *
 * <p>Written by the thread that follows the log, read by requests.
 */
public final class RoomRing {
    private static final int MEMBERS_MAX = 2_000;
    /** Member events may take this multiple of the memory of the latest events. */
    private static final int MEMBERS_SHARE = 8;
    /** The size of an empty ring. */
    private static final int OVERHEAD_BYTES = 1_000;

    private final ReceiptRing receipts;
    private final int entriesMax;
    private final long bytesMax;
    private final RingBudget.Share share;
    private final ArrayDeque<Entry> entries = new ArrayDeque<>();
    /** Known current member events, for readers with lazy loading. */
    private final Map<String, RingEvent> members = new HashMap<>();
    /** Member events that events of the ring have replaced, by the position of the newer event. */
    private final Map<Long, RingEvent> replaced = new HashMap<>();

    private final Set<Waiters> readers = new HashSet<>();
    private final RoomActivity activity = new RoomActivity();
    private long completeFrom;
    private long bytes;
    private long memberBytes;
    private volatile long last;
    /** The position of the last join or departure, or of an unreadable event. */
    private volatile long lastMove;

    private record Entry(RingEvent ringEvent, int bytes, long nanos) {
        Entry(RingEvent ringEvent, long nanos) {
            this(ringEvent, ringEvent.bytes(), nanos);
        }
    }

    /** An empty ring, complete after a position; {@code bytesMax} limits the events, and eight times as much the member events. */
    public RoomRing(long completeFrom, int entriesMax, long bytesMax, RingBudget budget) {
        this.completeFrom = completeFrom;
        this.last = completeFrom;
        this.lastMove = completeFrom;
        this.share = budget.share();
        this.receipts = new ReceiptRing(completeFrom, budget);
        this.entriesMax = entriesMax;
        this.bytesMax = bytesMax;
        share.resize(OVERHEAD_BYTES);
    }

    /** Releases the budget. */
    public void close() {
        share.close();
        receipts.close();
    }

    /** The position of the last event, or of an unreadable one. */
    public long last() {
        return last;
    }

    /** Whether the room has an event or a receipt after the position. */
    public boolean hasNewsAfter(long pos) {
        return last > pos || receipts.last() > pos;
    }

    /** The position of the last join or departure, or of an unreadable event. */
    public long lastMove() {
        return lastMove;
    }

    /** The room's activity for room lists. */
    public RoomActivity activity() {
        return activity;
    }

    public ReceiptRing receipts() {
        return receipts;
    }

    public synchronized void enter(Waiters reader) {
        readers.add(reader);
    }

    /** Returns whether no reader is left. */
    public synchronized boolean leave(Waiters reader) {
        readers.remove(reader);
        return readers.isEmpty();
    }

    /** The approximate size of events and receipts that arrived since a {@link System#nanoTime}. */
    public synchronized long bytesSince(long nanos) {
        long sum = receipts.bytesSince(nanos);
        for (var each = entries.descendingIterator(); each.hasNext(); ) {
            var entry = each.next();
            if (entry.nanos - nanos < 0) {
                break;
            }
            sum += entry.bytes;
        }
        return sum;
    }

    /** Drops the cached member events; readers read them again from room-service. */
    public synchronized void forgetMembers() {
        members.clear();
        replaced.clear();
        memberBytes = 0;
        account();
    }

    private void account() {
        share.resize(OVERHEAD_BYTES + bytes + memberBytes);
    }

    /** The number of connected users in the room. */
    public synchronized int readers() {
        return readers.size();
    }

    public synchronized void readersInto(Collection<Waiters> all) {
        all.addAll(readers);
    }

    /** Adds the room's next event; a repeated one is ignored. */
    public synchronized void add(RingEvent ringEvent, long nanos) {
        if (ringEvent.pos() <= last) {
            return;
        }
        var added = new Entry(ringEvent, nanos);
        entries.add(added);
        bytes += added.bytes;
        last = ringEvent.pos();
        activity.add(ringEvent.meta());
        if (ringEvent.changesJoined()) {
            lastMove = ringEvent.pos();
        }
        if (ringEvent.isMember()) {
            keepReplaced(ringEvent.pos(), members.get(subject(ringEvent)));
            remember(ringEvent);
        }
        if (ringEvent.meta().redacts() != null) {
            redact(ringEvent.meta().redacts().eventId(), ringEvent.event().eventJson());
        }
        while (entries.size() > entriesMax || bytes > bytesMax) {
            dropFirst();
        }
        account();
    }

    /** Removes redacted content, so that no reader gets it after the node's position has passed the redaction (design.md 4). */
    private void redact(EventId target, String redactionJson) {
        members.replaceAll((_, ringEvent) -> ringEvent.redacted(target, redactionJson));
        replaced.replaceAll((_, ringEvent) -> ringEvent.redacted(target, redactionJson));
        memberBytes = Stream.concat(members.values().stream(), replaced.values().stream())
                .mapToLong(RingEvent::bytes)
                .sum();
        if (entries.stream().noneMatch(entry -> entry.ringEvent.concerns(target))) {
            return;
        }
        var before = List.copyOf(entries);
        entries.clear();
        bytes = 0;
        for (var entry : before) {
            var redacted = new Entry(entry.ringEvent.redacted(target, redactionJson), entry.nanos);
            entries.add(redacted);
            bytes += redacted.bytes;
        }
    }

    /** Marks an unreadable event: the ring is complete only after the position. */
    public synchronized void miss(long pos) {
        if (pos > last) {
            entries.clear();
            members.clear();
            replaced.clear();
            bytes = 0;
            memberBytes = 0;
            completeFrom = pos;
            last = pos;
            lastMove = pos;
            account();
        }
    }

    /** Evicts the events from before {@code nanos}; slow readers ask room-service. */
    public synchronized void dropBefore(long nanos) {
        receipts.dropBefore(nanos);
        while (!entries.isEmpty() && entries.getFirst().nanos - nanos < 0) {
            dropFirst();
        }
        account();
    }

    private void dropFirst() {
        var first = entries.removeFirst();
        bytes -= first.bytes;
        completeFrom = first.ringEvent.pos();
        var older = replaced.remove(first.ringEvent.pos());
        memberBytes -= older == null ? 0 : older.bytes();
    }

    /** The events in {@code (after, upto]} in order; null if the ring is incomplete there. */
    public synchronized @Nullable List<RingEvent> between(long after, long upto) {
        if (after < completeFrom) {
            return null;
        }
        var newestFirst = new ArrayList<RingEvent>();
        for (var each = entries.descendingIterator(); each.hasNext(); ) {
            var ringEvent = each.next().ringEvent;
            if (ringEvent.pos() <= after) {
                break;
            }
            if (ringEvent.pos() <= upto) {
                newestFirst.add(ringEvent);
            }
        }
        Collections.reverse(newestFirst);
        return newestFirst;
    }

    /** The content of a ring; complete after {@code completeFrom}, which may be later than requested. */
    public record RingContent(List<RingEvent> events, List<Receipt> receipts, long completeFrom) {}

    /** The events after a position, in order, and one user's receipts. */
    public synchronized RingContent rest(long after, UserId reader) {
        long from = Math.max(after, completeFrom);
        var events = between(from, Long.MAX_VALUE);
        var own = receipts.own(after, Long.MAX_VALUE, reader);
        long receiptsFrom = receipts.completeAfter(after); // last, because a concurrent eviction may move it
        return new RingContent(events == null ? List.of() : events, own, Math.max(from, receiptsFrom));
    }

    /**
     * A user's member event in force at a position.
     *
     * @param event null if unknown
     * @param changedAt the position of the user's next member event, {@link Long#MAX_VALUE} for none; {@code event} is in force until then
     */
    public record MemberAt(@Nullable RingEvent event, long changedAt) {}

    /** The member event at a position of the range that the ring has completely. */
    public synchronized MemberAt member(String user, long pos) {
        RingEvent next = null;
        for (var each = entries.descendingIterator(); each.hasNext(); ) {
            var ringEvent = each.next().ringEvent;
            if (ringEvent.pos() <= pos) {
                break;
            }
            next = ringEvent.isMemberEventOf(user) ? ringEvent : next;
        }
        return next == null
                ? new MemberAt(members.get(user), Long.MAX_VALUE)
                : new MemberAt(replaced.get(next.pos()), next.pos());
    }

    /** Caches each user's newest member event, current as of a position. */
    public synchronized void learn(Collection<RingEvent> newest, long asOf) {
        if (asOf < completeFrom) {
            return; // newer member events may have been evicted
        }
        var changed = new HashSet<String>();
        for (var entry : entries) {
            if (entry.ringEvent.pos() > asOf && entry.ringEvent.isMember()) {
                changed.add(subject(entry.ringEvent));
            }
        }
        var redactions = redactionsAfter(asOf);
        for (var ringEvent : newest) {
            if (!changed.contains(subject(ringEvent))) {
                remember(withRedactions(redactions, ringEvent));
            }
        }
        account();
    }

    /** Caches the member event that the user's event at {@code changedAt} has replaced, as read from a log up to {@code asOf}. */
    public synchronized void learnReplaced(RingEvent older, long changedAt, long asOf) {
        if (changedAt > completeFrom && asOf >= completeFrom) {
            keepReplaced(changedAt, withRedactions(redactionsAfter(asOf), older));
            account();
        }
    }

    private void keepReplaced(long changedAt, @Nullable RingEvent older) {
        if (older != null && memberBytes + older.bytes() <= MEMBERS_SHARE * bytesMax) {
            var before = replaced.put(changedAt, older);
            memberBytes += older.bytes() - (before == null ? 0 : before.bytes());
        }
    }

    private Map<EventId, String> redactionsAfter(long asOf) {
        var redactions = new HashMap<EventId, String>();
        for (var entry : entries) {
            var event = entry.ringEvent.event();
            if (entry.ringEvent.pos() > asOf && event.meta().redacts() != null) {
                redactions.putIfAbsent(event.meta().redacts().eventId(), event.eventJson());
            }
        }
        return redactions;
    }

    private static String subject(RingEvent ringEvent) {
        return String.valueOf(ringEvent.meta().stateKey());
    }

    /** Applies the redactions since to an event that was read before. */
    private static RingEvent withRedactions(Map<EventId, String> redactions, RingEvent ringEvent) {
        var latest = ringEvent;
        for (var redaction : redactions.entrySet()) {
            latest = latest.redacted(redaction.getKey(), redaction.getValue());
        }
        return latest;
    }

    private void remember(RingEvent ringEvent) {
        var user = subject(ringEvent);
        boolean full = members.size() >= MEMBERS_MAX || memberBytes + ringEvent.bytes() > MEMBERS_SHARE * bytesMax;
        if (full && !members.containsKey(user)) {
            members.clear();
            replaced.clear();
            memberBytes = 0;
        }
        var before = members.put(user, ringEvent);
        memberBytes += ringEvent.bytes() - (before == null ? 0 : before.bytes());
    }
}
