package rookery.platform.log.follow;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import rookery.model.topic.LogRecord;
import rookery.platform.log.append.Head;
import rookery.platform.log.append.Heads;

/** One shard of a log that is followed: how far the follower is, and what came before its turn. Used by the tail's thread only. */
final class ShardTail {
    private static final Logger log = LoggerFactory.getLogger(ShardTail.class);

    /** What may wait for its turn: while the owner is away, a hole stays and records keep coming. */
    private static final long EARLY_BYTES_MAX = 2 << 20;

    private static final int EARLY_OVERHEAD_BYTES = 300;
    private static final long PAUSE_MIN_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long PAUSE_MAX_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final Source source;
    private final int shard;
    private final TreeMap<Long, LogRecord> early = new TreeMap<>();
    private long earlyBytes;
    private long pos;
    /** Of the batch that holds {@code pos}, 0 if it is not known. */
    private long number;
    /** Something came that does not follow on what is here: the owner is asked which of the two is right. */
    private boolean doubtful;
    /** The last end of a unit up to {@code pos}: a long unit may come in many stretches. */
    private long settled;

    private long holeSince;
    /** How long the follower is not asked again after it failed with a unit; 0 while all is well. */
    private long pauseNanos;

    private long pausedUntil;

    /** The log, its owner, and who follows. */
    record Source(String topic, long epoch, LogOwner owner, LogFollower follower) {}

    ShardTail(Source source, Head from) {
        this.source = source;
        this.shard = from.shard();
        this.pos = from.pos();
        this.number = from.number();
        this.settled = pos;
    }

    int shard() {
        return shard;
    }

    boolean isDoubtful() {
        return doubtful;
    }

    /** Whether its owner says that another batch ends where this follower stands. */
    boolean contradicts(Heads heads) {
        long theirs = heads.numberAt(shard);
        return pos > heads.positions().at(shard)
                || (pos == heads.positions().at(shard) && number != 0 && theirs != 0 && number != theirs);
    }

    long pos() {
        return pos;
    }

    /** The lowest position that came before its turn; only where there is a hole. */
    long firstEarly() {
        return early.firstKey();
    }

    boolean hasHole() {
        return !early.isEmpty();
    }

    boolean hasHoleSince(long nanos) {
        return hasHole() && holeSince - nanos < 0;
    }

    /** Whether the follower failed with a unit here and is left alone for a while; the other shards go on. */
    boolean isPaused(long nowNanos) {
        return pauseNanos > 0 && nowNanos - pausedUntil < 0;
    }

    void offer(LogRecord entry) {
        if (entry.pos() <= pos || isPaused(System.nanoTime())) {
            return;
        }
        if (early.isEmpty()) {
            holeSince = System.nanoTime();
        }
        int size = EARLY_OVERHEAD_BYTES + entry.body().length();
        if (earlyBytes + size <= EARLY_BYTES_MAX && early.putIfAbsent(entry.pos(), entry) == null) {
            earlyBytes += size; // what is left out is found missing by the next look at the heads
        }
    }

    private LogRecord pollEarly() {
        var first = early.pollFirstEntry().getValue();
        earlyBytes -= EARLY_OVERHEAD_BYTES + first.body().length();
        return first;
    }

    /** Passes on what directly follows, all at once. */
    void passOn() {
        var entries = new ArrayList<LogRecord>();
        long last = pos;
        long lastNumber = number;
        while (!early.isEmpty() && early.firstKey() == last + 1) {
            if (!early.firstEntry().getValue().follows(lastNumber)) {
                doubtful = true; // another log than the one that was followed so far
                break;
            }
            var entry = pollEarly();
            entries.add(entry);
            last++;
            lastNumber = entry.batch();
        }
        if (!entries.isEmpty()) {
            apply(entries, last, lastNumber, settled(entries));
            holeSince = System.nanoTime();
        }
    }

    /** Reads from the owner until the position is reached, or the follower fails. */
    void readTo(long wanted, BooleanSupplier stopped) {
        while (pos < wanted && !stopped.getAsBoolean() && !isPaused(System.nanoTime())) {
            read();
        }
        passOn();
    }

    /** Asks the owner whether it has what is here; an error if not. What came from elsewhere in the meantime is dropped. */
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
        var stretch = pauseNanos > 0 ? whole.upTo(whole.firstUnitEnd()) : whole; // what failed is tried alone
        try {
            source.follower.apply(stretch);
            pos = stretch.coveredTo();
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
        pausedUntil = System.nanoTime() + pauseNanos;
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
                .log("what one request did cannot be derived; its shard waits, the others go on");
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
