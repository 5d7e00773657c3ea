// SPDX-License-Identifier: Apache-2.0
package rookery.platform.log.append;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import rookery.model.error.ApiException;

/**
 * The drafts that wait to be appended, in one lane for each shard, and the choice of lanes for the next batch (design.md
 * 12, Append).
 *
 * <p>A batch takes the lanes that have waited longest. Two running batches never share a lane, so the drafts of a shard stay in
 * order. Drafts gather only while the permitted batches are running, never on purpose.
 *
 * @param <T> a draft with its author
 */
final class Lanes<T> {
    private static final Logger log = LoggerFactory.getLogger(Lanes.class);

    private static final int WAITING_MAX = 5_000;
    /** The most batches that wait for a lock, each for the lock of one shard. */
    private static final int WAITERS_MAX = 4;
    /** The number of times that batches skip a lane with a locked shard before a batch waits for the lock. */
    private static final int SKIPS_MAX = 2;
    /** The time before a shard that another transaction had locked is tried again. */
    private static final long LOCKED_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** The time after which a running batch counts as dead, because an uncaught error has ended it. */
    private static final long DEAD_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final Bounds bounds;
    private final List<Lane> lanes = new ArrayList<>();
    /** Free lanes with waiting drafts, the longest waiting first. */
    private final Set<Lane> ready = new LinkedHashSet<>();

    private final List<Turn> running = new ArrayList<>();

    /**
     * The limits of concurrent appends.
     *
     * @param batches the most batches that do not wait for a lock
     * @param shards the most shards of one batch
     * @param drafts the most drafts of one batch
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
        /** Drafts that a batch gave back, before all others. */
        final Deque<T> returned = new ArrayDeque<>();

        @Nullable
        Turn taken;

        int skips;
        /** Whether the last attempt to lock the shard has timed out. */
        boolean locked;

        long lockedUntilNanos;
        /** The end of the shard after this process's last append, which the database must still have. */
        Head last;
        /** Whether no other process is known to have appended since. */
        boolean isRemembered;

        Lane(int shard) {
            this.shard = shard;
            this.last = new Head(shard, 0, 0);
        }

        int size() {
            return returned.size() + waiting.size();
        }

        List<T> take(int most) {
            var drafts = new ArrayList<T>();
            while (drafts.size() < most && !returned.isEmpty()) {
                drafts.add(returned.remove());
            }
            drafts.addAll(waiting.take(most - drafts.size()));
            return drafts;
        }
    }

    /** The lanes of one batch. */
    final class Turn {
        final boolean waits;
        private final List<Lane> lanes;
        private final long begunNanos = System.nanoTime();

        private Turn(boolean waits, List<Lane> lanes) {
            this.waits = waits;
            this.lanes = lanes;
        }
    }

    /** Drafts of one lane, in order. */
    record TakenDrafts<T>(int shard, List<T> drafts) {}

    /** 503 if too many drafts wait, or half as many of one tenant, or if the shard is locked by another process. */
    synchronized void add(int shard, int tenant, String turn, T draft) {
        var lane = lanes.get(shard);
        if (lane.size() >= WAITING_MAX
                || (lane.size() >= WAITING_MAX / 2 && lane.waiting.size(tenant) >= WAITING_MAX / 2)) {
            throw ApiException.unavailable("too many requests wait already, try again in a moment");
        }
        if (lane.locked && (lane.taken != null || System.nanoTime() - lane.lockedUntilNanos < 0)) {
            throw ApiException.unavailable("a part of the rooms is held up, try again in a moment");
        }
        lane.waiting.add(tenant, turn, draft);
        if (lane.taken == null) {
            ready.add(lane);
        }
    }

    /** Chooses the lanes of the next batch; null while enough batches are running, or without waiting drafts. */
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

    /** The last known ends of the shards of the turn's lanes, by ascending shard. */
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
     * Takes the drafts of the shards that a batch has locked, in this order, and frees the turn's other lanes. A lane with few
     * drafts gives all of them; the other lanes share the remaining room.
     */
    synchronized List<TakenDrafts<T>> take(Turn turn, Collection<Integer> locked) {
        for (var lane : turn.lanes) {
            if (!locked.contains(lane.shard)) {
                lane.skips++;
                free(turn, lane);
            }
        }
        var bySize = locked.stream()
                .sorted(Comparator.comparingInt(shard -> lanes.get(shard).size()))
                .toList();
        var counts = new int[lanes.size()];
        int left = bounds.drafts;
        for (int i = 0; i < bySize.size(); i++) {
            int shard = bySize.get(i);
            counts[shard] = Math.min(lanes.get(shard).size(), Math.max(1, left / (bySize.size() - i)));
            left -= counts[shard];
        }
        return locked.stream()
                .map(shard -> {
                    var lane = lanes.get(shard);
                    lane.skips = 0;
                    return new TakenDrafts<>(shard, lane.take(counts[shard]));
                })
                .toList();
    }

    /** Takes the drafts of all lanes, for a batch that failed before it locked a shard. */
    synchronized List<TakenDrafts<T>> takeAll(Turn turn) {
        return take(turn, shards(turn));
    }

    /** Returns drafts that were taken, for the same turn, to the front of their lanes. */
    synchronized void giveBack(List<TakenDrafts<T>> batch) {
        batch.forEach(taken -> taken.drafts().reversed().forEach(lanes.get(taken.shard()).returned::addFirst));
    }

    synchronized void end(Turn turn) {
        if (running.remove(turn)) {
            turn.lanes.forEach(lane -> free(turn, lane));
        }
    }

    private void free(Turn turn, Lane lane) {
        if (lane.taken == turn) { // another turn may have the lane since this turn died
            lane.taken = null;
            if (lane.size() > 0) {
                ready.add(lane);
            }
        }
    }

    /** Notes whether the lock of the shard has timed out. */
    synchronized void noteLocked(int shard, boolean locked) {
        var lane = lanes.get(shard);
        lane.locked = locked;
        lane.lockedUntilNanos = System.nanoTime() + LOCKED_NANOS;
    }

    synchronized boolean isLocked(int shard) {
        return lanes.get(shard).locked;
    }

    /** Notes the end of the shard after an append of this process. */
    synchronized void appended(Head end) {
        var lane = lanes.get(end.shard());
        lane.last = end;
        lane.isRemembered = true;
    }

    /** Notes that another process has appended to a shard of the turn, or had locked the shard. */
    synchronized void overtaken(Turn turn) {
        turn.lanes.forEach(lane -> lane.isRemembered = false);
    }

    /** Whether the turn's shards most likely end after this process's last appends, and no batch has skipped them. */
    synchronized boolean isRemembered(Turn turn) {
        return !turn.waits && turn.lanes.stream().allMatch(lane -> lane.isRemembered && lane.skips == 0);
    }
}
