package rookery.platform.log.append;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import rookery.model.error.ApiException;

/**
 * What waits to be appended, in a lane for each shard, and which lanes the next batch takes (design.md 12, Append).
 *
 * <p>A batch takes the lanes that have waited longest. Two batches never have a lane in common, so the drafts of a shard stay in
 * order. Nothing is gathered on purpose: drafts gather while the batches that may be under way are.
 *
 * @param <T> a draft, and who is to be answered
 */
final class Lanes<T> {
    private static final Logger log = LoggerFactory.getLogger(Lanes.class);

    private static final int WAITING_MAX = 5_000;
    /** Batches that wait for the lock of one shard, which somebody else holds. */
    private static final int WAITERS_MAX = 4;
    /** How often a lane is passed over while somebody else holds its shard, before a batch waits for it. */
    private static final int SKIPS_MAX = 2;
    /** How long after another transaction was seen to hold a shard it is tried again. */
    private static final long HELD_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** No batch takes that long: what ran it has died of an error that nobody catches. */
    private static final long DEAD_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final Bounds bounds;
    private final List<Lane> lanes = new ArrayList<>();
    /** Free lanes in which something waits, those that have waited longest first. */
    private final Set<Lane> ready = new LinkedHashSet<>();

    private final List<Turn> running = new ArrayList<>();

    /**
     * How much is under way at once.
     *
     * @param batches that do not wait for a lock
     * @param shards of one batch
     * @param drafts of one batch
     */
    record Bounds(int batches, int shards, int drafts) {}

    Lanes(int shards, Bounds bounds) {
        this.bounds = bounds;
        for (int shard = 0; shard < shards; shard++) {
            lanes.add(new Lane(shard));
        }
    }

    private final class Lane {
        final int shard;
        final FairQueue<T> waiting = new FairQueue<>();

        @Nullable
        Turn taken;

        int skips;
        /** Whether the shard's lock was not free in time when it was last asked for. */
        boolean held;

        long heldUntilNanos;
        /** The end of the shard when this process last appended to it: the database must have that still. */
        Head last;

        Lane(int shard) {
            this.shard = shard;
            this.last = new Head(shard, 0, 0);
        }
    }

    /** Some lanes, for one batch. */
    final class Turn {
        final boolean waits;
        private final List<Lane> lanes;
        private final long begunNanos = System.nanoTime();

        private Turn(boolean waits, List<Lane> lanes) {
            this.waits = waits;
            this.lanes = lanes;
        }
    }

    /** Drafts of one lane, in their order. */
    record TakenDrafts<T>(int shard, List<T> drafts) {}

    /** A 503 if too much waits already, or nothing can be appended to the shard for now. */
    synchronized void add(int shard, int tenant, String turn, T draft) {
        var lane = lanes.get(shard);
        if (lane.waiting.size() >= WAITING_MAX) {
            throw ApiException.unavailable("too many requests wait already, try again in a moment");
        }
        if (lane.held && (lane.taken != null || System.nanoTime() - lane.heldUntilNanos < 0)) {
            throw ApiException.unavailable("a part of the rooms is held up, try again in a moment");
        }
        lane.waiting.add(tenant, turn, draft);
        if (lane.taken == null) {
            ready.add(lane);
        }
    }

    /** What the next batch is for; null while enough is under way, or nothing waits. */
    synchronized @Nullable Turn next() {
        endDead();
        var waited = ready.stream().filter(lane -> lane.skips >= SKIPS_MAX).findFirst();
        if (waited.isPresent() && running.stream().filter(turn -> turn.waits).count() < WAITERS_MAX) {
            return begin(new Turn(true, List.of(waited.get())));
        }
        if (running.stream().filter(turn -> !turn.waits).count() >= bounds.batches) {
            return null;
        }
        var chosen = ready.stream()
                .filter(lane -> lane.skips < SKIPS_MAX)
                .limit(bounds.shards)
                .toList();
        return chosen.isEmpty() ? null : begin(new Turn(false, chosen));
    }

    private Turn begin(Turn turn) {
        turn.lanes.forEach(lane -> {
            lane.taken = turn;
            ready.remove(lane);
        });
        running.add(turn);
        return turn;
    }

    private void endDead() {
        long now = System.nanoTime();
        for (var turn : List.copyOf(running)) {
            if (now - turn.begunNanos >= DEAD_NANOS) {
                log.atError()
                        .addKeyValue("shards", shards(turn))
                        .log("a batch never ended; appending goes on without it");
                end(turn);
            }
        }
    }

    private List<Integer> shards(Turn turn) {
        return turn.lanes.stream().map(lane -> lane.shard).toList();
    }

    /** Where the shards of the turn's lanes were last seen to end, in ascending order of the shards. */
    synchronized List<Head> seen(Turn turn) {
        return turn.lanes.stream()
                .map(lane -> lane.last)
                .sorted(Comparator.comparingInt(Head::shard))
                .toList();
    }

    synchronized Head seen(int shard) {
        return lanes.get(shard).last;
    }

    /**
     * The drafts that a batch takes of the shards that it has locked, in this order; the other lanes of the turn are passed over.
     * Whoever has little gets all of it, the others share what is left.
     */
    synchronized List<TakenDrafts<T>> take(Turn turn, Collection<Integer> locked) {
        for (var lane : turn.lanes) {
            if (!locked.contains(lane.shard)) {
                lane.skips++;
                free(turn, lane);
            }
        }
        var bySize = locked.stream()
                .sorted(Comparator.comparingInt(
                        shard -> lanes.get(shard).waiting.size()))
                .toList();
        var counts = new int[lanes.size()];
        int left = bounds.drafts;
        for (int i = 0; i < bySize.size(); i++) {
            int shard = bySize.get(i);
            counts[shard] = Math.min(lanes.get(shard).waiting.size(), Math.max(1, left / (bySize.size() - i)));
            left -= counts[shard];
        }
        return locked.stream()
                .map(shard -> {
                    var lane = lanes.get(shard);
                    lane.skips = 0;
                    return new TakenDrafts<>(shard, lane.waiting.take(counts[shard]));
                })
                .toList();
    }

    /** All that a batch would have taken, for one that failed before it held a lock. */
    synchronized List<TakenDrafts<T>> takeAll(Turn turn) {
        return take(turn, shards(turn));
    }

    synchronized void end(Turn turn) {
        if (running.remove(turn)) {
            turn.lanes.forEach(lane -> free(turn, lane));
        }
    }

    private void free(Turn turn, Lane lane) {
        if (lane.taken == turn) { // and not another one's since it died
            lane.taken = null;
            if (lane.waiting.size() > 0) {
                ready.add(lane);
            }
        }
    }

    /** Whether the shard's lock was free in time. */
    synchronized void noteHeld(int shard, boolean held) {
        var lane = lanes.get(shard);
        lane.held = held;
        lane.heldUntilNanos = System.nanoTime() + HELD_NANOS;
    }

    synchronized boolean isHeld(int shard) {
        return lanes.get(shard).held;
    }

    /** This process has appended up to there. */
    synchronized void appended(Head end) {
        lanes.get(end.shard()).last = end;
    }
}
