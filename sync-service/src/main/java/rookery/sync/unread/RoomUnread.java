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
 * What one user has not read in one room: a base, which is push-service's word as of a position, and what was seen in the log
 * since. All that is only known to have changed the base, but not how, makes it uncertain until push-service was asked again.
 */
final class RoomUnread {
    /** Stands for every thread of the room. */
    private static final String ALL = "";

    private static final int COUNTED_MAX = 100;
    private static final int LEARNED_MAX = 100;

    private final int shard;
    private Map<String, Tally> base = new HashMap<>();
    /** Where the base stands. */
    private long from;
    /** Up to where the log was seen. */
    private long known;
    /** After this everything up to {@link #known} was seen. */
    private long completeFrom;
    /** Whether something between the base and {@link #completeFrom} was not seen. */
    private boolean gap;
    /** Whether the user was told. */
    private boolean told;
    /** What counts since the base, in order, also from users who are ignored: that may end. */
    private final List<CountedEvent> counted = new ArrayList<>();
    /** How far the user has read, by thread, as far as it was seen since the base. */
    private final Map<String, ObservedEvent> reads = new LinkedHashMap<>();
    /** Events that were redacted, as far as it was seen since the base. */
    private final Map<Long, ObservedEvent> redacted = new LinkedHashMap<>();

    private record CountedEvent(long pos, String thread, UserId sender, boolean highlights) {}

    /**
     * Something that was seen in the log.
     *
     * @param pos the event that it is about
     * @param at where it stands itself, or somewhat later
     * @param settled whether the base is as if push-service had seen it too
     */
    private record ObservedEvent(long pos, long at, boolean settled) {
        ObservedEvent settled(boolean now) {
            return new ObservedEvent(pos, at, now);
        }
    }

    /** How far the user has read: in one thread, or (without one) in all. */
    record ReadMarker(@Nullable String thread, long pos) {}

    /** What push-service must take as seen when it is asked. */
    record CountsQuery(List<ReadMarker> reads, List<Long> redacted) {}

    /** One whose base is nothing, at that position. */
    RoomUnread(int shard, long from) {
        this.shard = shard;
        this.from = from;
        this.known = from;
        this.completeFrom = from;
    }

    /** Of the room log; positions here are of that shard. */
    int shard() {
        return shard;
    }

    long known() {
        return known;
    }

    /** Whether the log must be seen from before {@link #from} on to make use of a base there. */
    boolean isPast(long pos) {
        return pos < from || (gap && pos < completeFrom);
    }

    boolean isTold() {
        return told;
    }

    void setTold() {
        told = true;
    }

    /** Whether there is nothing to hold. */
    boolean isNothing() {
        return base.isEmpty() && counted.isEmpty() && isCertain();
    }

    boolean isCertain() {
        return !gap && allSettled(reads) && allSettled(redacted);
    }

    private static boolean allSettled(Map<?, ObservedEvent> learned) {
        return learned.values().stream().allMatch(ObservedEvent::settled);
    }

    /** Nothing before that counts: the user joined there. */
    void joined(long at) {
        if (at > from) {
            restart(at, Map.of());
        }
    }

    /** A new base, after which nothing was seen unless it is still counted. */
    private void restart(long at, Map<String, Tally> told) {
        from = at;
        base = new HashMap<>(told);
        known = Math.max(known, at);
        gap &= completeFrom > at;
        completeFrom = Math.max(completeFrom, at);
        counted.removeIf(each -> each.pos <= at);
        reads.values().removeIf(read -> read.at <= at);
        redacted.values().removeIf(each -> each.at <= at);
        reads.replaceAll((_, read) -> read.settled(false));
        redacted.replaceAll((_, each) -> each.settled(false));
        settle();
    }

    /** A new base, from which on the log is seen once more. */
    void rewind(long at, Map<String, Tally> told) {
        counted.clear();
        gap = false;
        known = at;
        completeFrom = at;
        restart(at, told);
    }

    /** What of the learned needs no other base. */
    private void settle() {
        reads.replaceAll((thread, read) -> read.settled(read.settled || isApplied(thread, read.pos)));
        redacted.replaceAll((_, each) -> each.settled(each.settled || each.pos > from || base.isEmpty()));
    }

    private boolean isApplied(String thread, long pos) {
        if (pos >= from) {
            base.keySet().removeIf(each -> isIn(each, thread));
        }
        return base.keySet().stream().noneMatch(each -> isIn(each, thread));
    }

    private static boolean isIn(String thread, String wanted) {
        return wanted.equals(ALL) || wanted.equals(thread);
    }

    /** Push-service's word as of a position, where what was asked counts as seen. */
    void install(long at, Map<String, Tally> told, @Nullable CountsQuery asked) {
        restart(at, told);
        trust(asked);
    }

    /** The same of a position that the log cannot be seen from: better than nothing if it is newer. */
    void installOlder(long at, Map<String, Tally> told, @Nullable CountsQuery asked) {
        if (at >= from) {
            install(at, told, asked);
        }
    }

    /** The base is as if push-service had seen this. */
    void trust(@Nullable CountsQuery asked) {
        if (asked == null) {
            return;
        }
        for (var read : asked.reads) {
            reads.computeIfPresent(
                    read.thread == null ? ALL : read.thread,
                    (_, each) -> each.pos == read.pos ? each.settled(true) : each);
        }
        asked.redacted.forEach(pos -> redacted.computeIfPresent(pos, (_, each) -> each.settled(true)));
    }

    CountsQuery ask() {
        var read = new ArrayList<ReadMarker>();
        reads.forEach((thread, each) -> read.add(new ReadMarker(thread.equals(ALL) ? null : thread, each.pos)));
        return new CountsQuery(read, List.copyOf(redacted.keySet()));
    }

    /** What stands between {@link #known} and there cannot be seen. */
    void miss(long upto) {
        gap = true;
        completeFrom = Math.max(completeFrom, upto);
        known = Math.max(known, upto);
    }

    /** The log was seen up to there. */
    void seen(long upto, Set<String> ignored) {
        known = Math.max(known, upto);
        fold(ignored);
    }

    /** An event that notifies the user. */
    void count(long pos, @Nullable String thread, UserId sender, boolean highlights) {
        counted.add(new CountedEvent(pos, thread == null ? Counts.MAIN : thread, sender, highlights));
    }

    /**
     * The user has read up to an event.
     *
     * @param thread null for all
     * @param at where that stands in the log, or somewhat later
     */
    void read(@Nullable String thread, long pos, long at) {
        var key = thread == null ? ALL : thread;
        counted.removeIf(each -> each.pos <= pos && isIn(each.thread, key));
        var before = reads.get(key);
        if (before == null || before.pos < pos) {
            reads.put(key, new ObservedEvent(pos, at, isApplied(key, pos)));
            bound(reads.values(), at);
        }
    }

    /** The user has sent an event: they have read its thread up to there. */
    void sent(@Nullable String thread, long pos) {
        read(thread == null ? Counts.MAIN : thread, pos, pos);
    }

    /** @param pos the event that was redacted, null if only push-service knows */
    void redact(@Nullable Long pos, long at) {
        if (pos == null) {
            lose(at);
            return;
        }
        counted.removeIf(each -> each.pos == pos);
        redacted.put(pos, new ObservedEvent(pos, at, pos > from || base.isEmpty()));
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

    /** Only a base that stands there is right again. */
    private void lose(long at) {
        if (!base.isEmpty() || !counted.isEmpty() || gap) {
            gap = true;
            completeFrom = Math.max(completeFrom, at);
        }
    }

    /** A long list becomes part of the base. */
    private void fold(Set<String> ignored) {
        if (counted.size() <= COUNTED_MAX) {
            return;
        }
        var oldest = counted.subList(0, counted.size() - COUNTED_MAX / 2);
        from = oldest.getLast().pos;
        completeFrom = Math.max(completeFrom, from);
        add(oldest, ignored, base);
        oldest.clear();
    }

    /** What is unread as of a position, or as of the base if that is newer. */
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
