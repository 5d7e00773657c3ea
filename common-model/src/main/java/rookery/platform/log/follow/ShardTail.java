// SPDX-License-Identifier: Apache-2.0
package rookery.platform.log.follow;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import rookery.model.topic.LogRecord;
import rookery.platform.log.append.Head;
import rookery.platform.log.append.Heads;

/** The tail of one shard: the follower's position, and early records. Used by the thread of {@link LogTail} only. */
final class ShardTail {
    private static final Logger log = LoggerFactory.getLogger(ShardTail.class);

    /** The limit for early records, which pile up behind a hole while the owner is away. */
    private static final long EARLY_BYTES_MAX = 2 << 20;

    private static final int EARLY_OVERHEAD_BYTES = 300;
    private static final long PAUSE_MIN_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long PAUSE_MAX_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final Source source;
    private final int shard;
    private final TreeMap<Long, LogRecord> early = new TreeMap<>();
    private long earlyBytes;
    private long pos;
    /** The batch number of {@code pos}; 0 if unknown until the next batch, which is then not verified. */
    private long number;
    /** Whether a record contradicts the followed log, so that the owner must decide. */
    private boolean doubtful;
    /** Followers show entries up to here: the last end of a unit up to {@code pos}. A long unit may span several stretches. */
    private long settled;

    private long holeSince;
    private long movedNanos;
    /** The pause after a failed unit, during which the follower is not called; 0 without a failure. */
    private long pauseNanos;

    private long pausedUntil;

    /** The log, its owner and follower, and the clock of holes and pauses. */
    record Source(String topic, long epoch, LogOwner owner, LogFollower follower, LongSupplier nanos) {}

    ShardTail(Source source, Head from) {
        this.source = source;
        this.shard = from.shard();
        this.pos = from.pos();
        this.number = from.number();
        this.settled = pos;
        this.movedNanos = source.nanos.getAsLong();
    }

    int shard() {
        return shard;
    }

    boolean isDoubtful() {
        return doubtful;
    }

    /**
     * Whether the owner's head has another batch number at this position, or is behind it. A shard that has moved since the
     * question is compared with the next answer.
     */
    boolean contradicts(Heads heads, long askedNanos) {
        if (movedNanos - askedNanos >= 0) {
            return false;
        }
        long headNumber = heads.numberAt(shard);
        return pos > heads.positions().at(shard)
                || (pos == heads.positions().at(shard) && number != 0 && headNumber != 0 && number != headNumber);
    }

    long pos() {
        return pos;
    }

    /** The lowest early position; only if there is a hole. */
    long firstEarly() {
        return early.firstKey();
    }

    boolean hasHole() {
        return !early.isEmpty();
    }

    boolean hasHoleSince(long nanos) {
        return hasHole() && holeSince - nanos < 0;
    }

    /** Whether the shard pauses after a failed unit; other shards continue. */
    boolean isPaused(long nowNanos) {
        return pauseNanos > 0 && nowNanos - pausedUntil < 0;
    }

    void offer(LogRecord entry) {
        if (entry.pos() <= pos || isPaused(source.nanos.getAsLong())) {
            return;
        }
        if (early.isEmpty()) {
            holeSince = source.nanos.getAsLong();
        }
        int size = EARLY_OVERHEAD_BYTES + entry.body().length();
        if (earlyBytes + size <= EARLY_BYTES_MAX && early.putIfAbsent(entry.pos(), entry) == null) {
            earlyBytes += size; // a dropped record is read from the owner after the next check of the heads
        }
    }

    private LogRecord pollEarly() {
        var first = early.pollFirstEntry().getValue();
        earlyBytes -= EARLY_OVERHEAD_BYTES + first.body().length();
        return first;
    }

    /** The early records that directly follow the position. */
    private List<LogRecord> following() {
        var entries = new ArrayList<LogRecord>();
        long last = pos;
        long lastNumber = number;
        for (var entry : early.values()) {
            if (entry.pos() != last + 1 || !entry.follows(lastNumber)) {
                break;
            }
            entries.add(entry);
            last++;
            lastNumber = entry.batch();
        }
        return entries;
    }

    /** The stretch that {@link #passOn} would apply; null for none, and after a failed unit, which is retried alone. */
    @Nullable
    Stretch ready() {
        var entries = following();
        return entries.isEmpty() || pauseNanos > 0
                ? null
                : new Stretch(
                        shard,
                        source.epoch,
                        pos,
                        entries,
                        entries.getLast().pos(),
                        entries.getLast().batch(),
                        settled(entries));
    }

    /** Applies the early records that directly follow the position, in one stretch. */
    void passOn() {
        var entries = following();
        entries.forEach(_ -> pollEarly());
        if (!early.isEmpty() && early.firstKey() == pos + entries.size() + 1) {
            doubtful = true; // the record belongs to another history of the log
        }
        if (!entries.isEmpty()) {
            var last = entries.getLast();
            apply(entries, last.pos(), last.batch(), settled(entries));
            holeSince = source.nanos.getAsLong(); // each step forward restarts the wait for the next hole
        }
    }

    /** Reads from the owner until the position is reached or the follower fails. */
    void readTo(long target, BooleanSupplier stopped) {
        while (pos < target && !stopped.getAsBoolean() && !isPaused(source.nanos.getAsLong())) {
            read();
        }
        passOn();
    }

    /**
     * Drops all early records and reads on from the owner, who compares the batch number of the position and raises the epoch if
     * the log has diverged; reading in another epoch throws.
     */
    void verify() {
        while (!early.isEmpty()) {
            pollEarly();
        }
        read();
        doubtful = false;
    }

    private void read() {
        var range = source.owner.rangeNow(shard, pos, number);
        if (range.epoch() != source.epoch || range.head() < pos) {
            throw new IllegalStateException("the log of " + source.topic + " goes on in another epoch");
        }
        if (range.coveredTo() > pos) {
            long end = range.coveredTo() == range.head() ? range.head() : settled(range.entries());
            apply(range.entries(), range.coveredTo(), range.number(), end);
        }
    }

    private void apply(List<LogRecord> entries, long coveredTo, long coveredNumber, long settledTo) {
        var whole = new Stretch(shard, source.epoch, pos, entries, coveredTo, coveredNumber, settledTo);
        var stretch = pauseNanos > 0 ? whole.upTo(whole.firstUnitEnd()) : whole; // a failed unit is retried alone
        try {
            source.follower.apply(stretch);
            pos = stretch.coveredTo();
            movedNanos = source.nanos.getAsLong();
            number = stretch.number();
            settled = stretch.settledTo();
            pauseNanos = 0;
        } catch (UnitFailedException e) {
            pause(e);
        }
        while (!early.isEmpty() && (early.firstKey() <= pos || pauseNanos > 0)) {
            pollEarly();
        }
    }

    private void pause(UnitFailedException failure) {
        pauseNanos = Math.clamp(2 * pauseNanos, PAUSE_MIN_NANOS, PAUSE_MAX_NANOS);
        pausedUntil = source.nanos.getAsLong() + pauseNanos;
        if (failure.reached > pos) {
            pos = failure.reached;
            number = 0;
        }
        settled = pos;
        log.atError()
                .addKeyValue("topic", source.topic)
                .addKeyValue("shard", shard)
                .addKeyValue("pos", pos + 1)
                .addKeyValue("pauseMillis", TimeUnit.NANOSECONDS.toMillis(pauseNanos))
                .setCause(failure.getCause())
                .log("a unit cannot be derived; its shard pauses, the others continue");
    }

    private long settled(List<LogRecord> entries) {
        for (int i = entries.size() - 1; i >= 0; i--) {
            if (entries.get(i).unitEnd()) {
                return entries.get(i).pos();
            }
        }
        return settled;
    }
}
