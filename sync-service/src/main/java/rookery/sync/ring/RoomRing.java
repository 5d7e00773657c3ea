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
import org.jspecify.annotations.Nullable;
import rookery.model.id.EventId;
import rookery.model.id.UserId;
import rookery.model.topic.RoomLogRecord.Receipt;
import rookery.sync.waiting.Waiters;

/**
 * The recent events of a room that connected users are in: everything after {@code completeFrom}, up to where the node stands.
 *
 * <p>Written by the thread that follows the log, read by requests.
 */
public final class RoomRing {
    private static final int MEMBERS_MAX = 500;
    /** The objects of a ring that holds nothing. */
    private static final int OVERHEAD_BYTES = 1_000;

    private final ReceiptRing receipts;
    private final int entriesMax;
    private final long bytesMax;
    private final RingBudget.Share share;
    private final ArrayDeque<Entry> entries = new ArrayDeque<>();
    /** Member events known to be the current ones, for readers who load members lazily. */
    private final Map<String, RingEvent> members = new HashMap<>();

    private final Set<Waiters> readers = new HashSet<>();
    private long completeFrom;
    private long bytes;
    private long memberBytes;
    private volatile long last;
    /** Where somebody came or went last, or may have. */
    private volatile long lastMove;

    private record Entry(RingEvent held, int bytes, long nanos) {
        Entry(RingEvent held, long nanos) {
            this(held, held.bytes(), nanos);
        }
    }

    /**
     * An empty one.
     *
     * @param completeFrom the position after which it will be told everything
     * @param bytesMax of the events, and as much of the members
     * @param budget that of all rings together, which is told what this one holds until {@link #close}
     */
    public RoomRing(long completeFrom, int entriesMax, long bytesMax, RingBudget budget) {
        this.completeFrom = completeFrom;
        this.last = completeFrom;
        this.lastMove = completeFrom;
        this.share = budget.share();
        this.receipts = new ReceiptRing(completeFrom, budget);
        this.entriesMax = entriesMax;
        this.bytesMax = bytesMax;
        share.hold(OVERHEAD_BYTES);
    }

    /** Nobody asks this ring any more. */
    public void close() {
        share.close();
        receipts.close();
    }

    /** The newest position at which something happened here, or may have happened: nothing did after it. */
    public long last() {
        return last;
    }

    /** Whether something happened here after this position: an event, or a receipt. */
    public boolean hasNewsAfter(long pos) {
        return last > pos || receipts.last() > pos;
    }

    /** The newest position at which somebody came or went, or may have. */
    public long lastMove() {
        return lastMove;
    }

    public ReceiptRing receipts() {
        return receipts;
    }

    public synchronized void enter(Waiters reader) {
        readers.add(reader);
    }

    /** Returns whether nobody is left. */
    public synchronized boolean leave(Waiters reader) {
        readers.remove(reader);
        return readers.isEmpty();
    }

    /** How much memory the events and receipts take that came after that moment of {@link System#nanoTime}, about. */
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

    /** They are asked for again when somebody needs them. */
    public synchronized void forgetMembers() {
        members.clear();
        memberBytes = 0;
        account();
    }

    private void account() {
        share.hold(OVERHEAD_BYTES + bytes + memberBytes);
    }

    /** How many of the users connected here are in the room. */
    public synchronized int readers() {
        return readers.size();
    }

    public synchronized void readersInto(Collection<Waiters> all) {
        all.addAll(readers);
    }

    /** Takes the room's next event; one that it has is ignored. */
    public synchronized void add(RingEvent held, long nanos) {
        if (held.pos() <= last) {
            return;
        }
        var added = new Entry(held, nanos);
        entries.add(added);
        bytes += added.bytes;
        last = held.pos();
        if (held.changesJoined()) {
            lastMove = held.pos();
        }
        if (held.isMember()) {
            remember(held);
        }
        if (held.event().meta().redacts() != null) {
            redact(held.event().meta().redacts().eventId(), held.event().eventJson());
        }
        while (entries.size() > entriesMax || bytes > bytesMax) {
            dropFirst();
        }
        account();
    }

    /** Nobody gets from here what a redaction took away, once the node's position has passed that redaction (design.md 4). */
    private void redact(EventId target, String redactionJson) {
        members.replaceAll((_, held) -> held.redacted(target, redactionJson));
        memberBytes = members.values().stream().mapToLong(RingEvent::bytes).sum();
        if (entries.stream().noneMatch(entry -> entry.held.tellsOf(target))) {
            return;
        }
        var before = List.copyOf(entries);
        entries.clear();
        bytes = 0;
        for (var entry : before) {
            var redacted = new Entry(entry.held.redacted(target, redactionJson), entry.nanos);
            entries.add(redacted);
            bytes += redacted.bytes;
        }
    }

    /** Something happened at this position that cannot be told from here. */
    public synchronized void miss(long pos) {
        if (pos > last) {
            entries.clear();
            members.clear();
            bytes = 0;
            memberBytes = 0;
            completeFrom = pos;
            last = pos;
            lastMove = pos;
            account();
        }
    }

    /** Drops what was held before that moment: whoever still needs it is slow, and is served by the room's owner. */
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
        completeFrom = first.held.pos();
    }

    /** The events in {@code (after, upto]} in order, or null when not all of them are held. */
    public synchronized @Nullable List<RingEvent> between(long after, long upto) {
        if (after < completeFrom) {
            return null;
        }
        var newestFirst = new ArrayList<RingEvent>();
        for (var each = entries.descendingIterator(); each.hasNext(); ) {
            var held = each.next().held;
            if (held.pos() <= after) {
                break;
            }
            if (held.pos() <= upto) {
                newestFirst.add(held);
            }
        }
        Collections.reverse(newestFirst);
        return newestFirst;
    }

    /**
     * What is held after a position.
     *
     * @param completeFrom after this nothing is left out; beyond the position if not everything after it is held
     */
    public record RingContent(List<RingEvent> events, List<Receipt> receipts, long completeFrom) {}

    /** The events after a position, in order, and the receipts of one user. */
    public synchronized RingContent rest(long after, UserId reader) {
        long heldFrom = Math.max(after, completeFrom);
        var events = between(heldFrom, Long.MAX_VALUE);
        var own = receipts.own(after, Long.MAX_VALUE, reader);
        long receiptsFrom = receipts.completeAfter(after); // asked last: more may have been dropped meanwhile
        return new RingContent(events == null ? List.of() : events, own, Math.max(heldFrom, receiptsFrom));
    }

    /** The current member event of a user, if known. */
    public synchronized @Nullable RingEvent member(String user) {
        return members.get(user);
    }

    /**
     * Learns member events that were current at a position.
     *
     * @param newest the newest member event of each user up to there
     */
    public synchronized void learn(Collection<RingEvent> newest, long asOf) {
        if (asOf < completeFrom) {
            return; // there may have been newer ones since, which nobody told us of
        }
        var changed = new HashSet<String>();
        var redactions = new HashMap<EventId, String>();
        for (var entry : entries) {
            var event = entry.held.event();
            if (entry.held.pos() > asOf && entry.held.isMember()) {
                changed.add(String.valueOf(event.meta().stateKey()));
            }
            if (entry.held.pos() > asOf && event.meta().redacts() != null) {
                redactions.putIfAbsent(event.meta().redacts().eventId(), event.eventJson());
            }
        }
        for (var held : newest) {
            if (!changed.contains(String.valueOf(held.event().meta().stateKey()))) {
                remember(since(redactions, held));
            }
        }
        account();
    }

    /** What was read before a redaction, and arrives after it. */
    private static RingEvent since(Map<EventId, String> redactions, RingEvent held) {
        var latest = held;
        for (var redaction : redactions.entrySet()) {
            latest = latest.redacted(redaction.getKey(), redaction.getValue());
        }
        return latest;
    }

    private void remember(RingEvent held) {
        var user = String.valueOf(held.event().meta().stateKey());
        boolean full = members.size() >= MEMBERS_MAX || memberBytes + held.bytes() > bytesMax;
        if (full && !members.containsKey(user)) {
            members.clear();
            memberBytes = 0;
        }
        var before = members.put(user, held);
        memberBytes += held.bytes() - (before == null ? 0 : before.bytes());
    }
}
