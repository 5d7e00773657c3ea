// SPDX-License-Identifier: Apache-2.0
package rookery.sync.unread;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import rookery.model.id.UserId;
import rookery.sync.unread.Counts.Tally;

/**
 * The unread counts of one user in one room: a base, counted by push-service as of a position, and the events in the log since. A
 * change with an unknown effect on the base makes the counts uncertain, until push-service answers again.
 */
final class RoomUnread {
    /** The key for all threads of the room. */
    private static final String ALL = "";

    private static final int COUNTED_MAX = 100;
    private static final int LEARNED_MAX = 100;

    private final int shard;
    private Map<String, Tally> base = new HashMap<>();
    /** The position of the base. */
    private long basePos;
    /** The position up to which this node has counted. */
    private long countedTo;
    /** All entries from here up to {@link #countedTo} are counted. */
    private long completeFrom;
    /** Whether entries between the base and {@link #completeFrom} are missing. */
    private boolean gap;
    /** Whether the user has received the counts. */
    private boolean delivered;
    /** Events that notify since the base, in order, including those of ignored users: the ignore list may change. */
    private final List<CountedEvent> counted = new ArrayList<>();
    /** The read positions since the base, by thread. */
    private final Map<String, ObservedEvent> reads = new LinkedHashMap<>();
    /** The redacted events since the base. */
    private final Map<Long, ObservedEvent> redacted = new LinkedHashMap<>();

    private record CountedEvent(long pos, String thread, UserId sender, boolean highlights) {}

    /** A receipt or redaction of the event at {@code pos}, logged at {@code at} or before; settled if in the base. */
    private record ObservedEvent(long pos, long at, boolean settled) {
        ObservedEvent settled(boolean now) {
            return new ObservedEvent(pos, at, now);
        }
    }

    /** A read position in one thread, or (null) in all threads. */
    record ReadMarker(@Nullable String thread, long pos) {}

    /** Receipts and redactions that push-service must include in its answer. */
    record CountsQuery(List<ReadMarker> reads, List<Long> redacted) {}

    /** With an empty base at the position. */
    RoomUnread(int shard, long from) {
        this.shard = shard;
        this.basePos = from;
        this.countedTo = from;
        this.completeFrom = from;
    }

    /** The shard of all positions here, in the room log. */
    int shard() {
        return shard;
    }

    long countedTo() {
        return countedTo;
    }

    /** Whether a base at {@code pos} requires entries from before {@link #basePos}. */
    boolean isPast(long pos) {
        return pos < basePos || (gap && pos < completeFrom);
    }

    boolean isDelivered() {
        return delivered;
    }

    void setDelivered() {
        delivered = true;
    }

    /** Whether the state equals the state of an unknown room. */
    boolean isNothing() {
        return base.isEmpty() && counted.isEmpty() && isCertain();
    }

    boolean isCertain() {
        return !gap && allSettled(reads) && allSettled(redacted);
    }

    private static boolean allSettled(Map<?, ObservedEvent> learned) {
        return learned.values().stream().allMatch(ObservedEvent::settled);
    }

    /** The user joined at the position; earlier events do not count. */
    void joined(long at) {
        if (at > basePos) {
            restart(at, Map.of());
        }
    }

    /** Replaces the base, and keeps the entries counted after the new base. */
    private void restart(long at, Map<String, Tally> tallies) {
        basePos = at;
        base = new HashMap<>(tallies);
        countedTo = Math.max(countedTo, at);
        gap &= completeFrom > at;
        completeFrom = Math.max(completeFrom, at);
        counted.removeIf(each -> each.pos <= at);
        reads.values().removeIf(read -> read.at <= at);
        redacted.values().removeIf(each -> each.at <= at);
        reads.replaceAll((_, read) -> read.settled(false));
        redacted.replaceAll((_, each) -> each.settled(false));
        settle();
    }

    /** Replaces the base, and counts the log again from there. */
    void rewind(long at, Map<String, Tally> tallies) {
        counted.clear();
        gap = false;
        countedTo = at;
        completeFrom = at;
        restart(at, tallies);
    }

    /** Settles receipts and redactions without effect on the base. */
    private void settle() {
        reads.replaceAll((thread, read) -> read.settled(read.settled || isApplied(thread, read.pos)));
        redacted.replaceAll((_, each) -> each.settled(each.settled || each.pos > basePos || base.isEmpty()));
    }

    private boolean isApplied(String thread, long pos) {
        if (pos >= basePos) {
            base.keySet().removeIf(each -> isIn(each, thread));
        }
        return base.keySet().stream().noneMatch(each -> isIn(each, thread));
    }

    private static boolean isIn(String thread, String key) {
        return key.equals(ALL) || key.equals(thread);
    }

    /** Installs push-service's counts, which include the receipts and redactions of the query. */
    void install(long at, Map<String, Tally> tallies, @Nullable CountsQuery query) {
        restart(at, tallies);
        trust(query);
    }

    /** Installs push-service's counts at a position before the ring's entries, if newer than the base. */
    void installOlder(long at, Map<String, Tally> tallies, @Nullable CountsQuery query) {
        if (at >= basePos) {
            install(at, tallies, query);
        }
    }

    /** Settles the receipts and redactions of the query. */
    void trust(@Nullable CountsQuery query) {
        if (query == null) {
            return;
        }
        for (var read : query.reads) {
            reads.computeIfPresent(
                    read.thread == null ? ALL : read.thread,
                    (_, each) -> each.pos == read.pos ? each.settled(true) : each);
        }
        query.redacted.forEach(pos -> redacted.computeIfPresent(pos, (_, each) -> each.settled(true)));
    }

    CountsQuery query() {
        var read = new ArrayList<ReadMarker>();
        reads.forEach((thread, each) -> read.add(new ReadMarker(thread.equals(ALL) ? null : thread, each.pos)));
        return new CountsQuery(read, List.copyOf(redacted.keySet()));
    }

    /** Entries between {@link #countedTo} and {@code upto} are missing. */
    void miss(long upto) {
        gap = true;
        completeFrom = Math.max(completeFrom, upto);
        countedTo = Math.max(countedTo, upto);
    }

    /** All entries up to {@code upto} are counted. */
    void seen(long upto, Set<String> ignored) {
        countedTo = Math.max(countedTo, upto);
        fold(ignored);
    }

    /** Adds an event that notifies the user. */
    void count(long pos, @Nullable String thread, UserId sender, boolean highlights) {
        counted.add(new CountedEvent(pos, thread == null ? Counts.MAIN : thread, sender, highlights));
    }

    /** The user has read up to an event, in a thread or (null) in all; the receipt is at {@code at} or before. */
    void read(@Nullable String thread, long pos, long at) {
        var key = thread == null ? ALL : thread;
        counted.removeIf(each -> each.pos <= pos && isIn(each.thread, key));
        var before = reads.get(key);
        if (before == null || before.pos < pos) {
            reads.put(key, new ObservedEvent(pos, at, isApplied(key, pos)));
            bound(reads.values(), at);
        }
    }

    /** The user has sent an event, and has read its thread up to there. */
    void sent(@Nullable String thread, long pos) {
        read(thread == null ? Counts.MAIN : thread, pos, pos);
    }

    /** @param pos the position of the redacted event; null if only push-service knows the position */
    void redact(@Nullable Long pos, long at) {
        if (pos == null) {
            lose(at);
            return;
        }
        counted.removeIf(each -> each.pos == pos);
        redacted.put(pos, new ObservedEvent(pos, at, pos > basePos || base.isEmpty()));
        bound(redacted.values(), at);
    }

    private void bound(Collection<ObservedEvent> learned, long at) {
        if (learned.size() > LEARNED_MAX) {
            var oldest = learned.iterator();
            oldest.next();
            oldest.remove();
            lose(at);
        }
    }

    /** The counts are uncertain until a base at {@code at} or later. */
    private void lose(long at) {
        if (!base.isEmpty() || !counted.isEmpty() || gap) {
            gap = true;
            completeFrom = Math.max(completeFrom, at);
        }
    }

    /** Moves the oldest events of a long list into the base. */
    private void fold(Set<String> ignored) {
        if (counted.size() <= COUNTED_MAX) {
            return;
        }
        var oldest = counted.subList(0, counted.size() - COUNTED_MAX / 2);
        basePos = oldest.getLast().pos;
        completeFrom = Math.max(completeFrom, basePos);
        add(oldest, ignored, base);
        oldest.clear();
    }

    /** The counts as of a position, or as of the base if newer. */
    Counts counts(long upto, Set<String> ignored) {
        if (counted.isEmpty()) {
            return base.isEmpty() ? Counts.NONE : new Counts(base);
        }
        var threads = new HashMap<>(base);
        add(counted.stream().filter(each -> each.pos <= upto).toList(), ignored, threads);
        return new Counts(threads);
    }

    private static void add(List<CountedEvent> counted, Set<String> ignored, Map<String, Tally> threads) {
        for (var each : counted) {
            if (!ignored.contains(each.sender.value())) {
                threads.merge(each.thread, Tally.one(each.highlights), Tally::plus);
            }
        }
    }
}
