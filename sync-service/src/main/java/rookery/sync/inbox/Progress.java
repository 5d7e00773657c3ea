// SPDX-License-Identifier: Apache-2.0
package rookery.sync.inbox;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import rookery.model.error.ApiException;
import rookery.platform.log.append.Heads;

/** This node's positions in a log. Everything up to the positions is in memory, and later entries are not shown. */
final class Progress {
    private final List<AwaitedHeads> awaited = new ArrayList<>();
    private volatile @Nullable Heads now;
    private volatile @Nullable Heads filled;

    private record AwaitedHeads(Heads target, Sinks.Empty<Void> reached) {}

    @Nullable
    Heads nowOrNull() {
        return now;
    }

    /** The node's positions; 503 before {@link #begin}. */
    Heads now() {
        var current = now;
        if (current == null) {
            throw ApiException.unavailable("this part of the server is still starting, try again in a moment");
        }
        return current;
    }

    /** Begins at {@code from}; the node has caught up at {@code to}. */
    void begin(Heads from, Heads to) {
        filled = to;
        move(from);
    }

    /** Whether the node's positions are still part of a log with these heads. */
    boolean isValidBefore(Heads heads) {
        return isAt(heads, now);
    }

    /** Whether the node has caught up with the log's end at its start. */
    boolean isFilled() {
        return isAt(now, filled);
    }

    void move(int shard, long pos) {
        var current = now();
        if (pos != current.positions().at(shard)) {
            move(new Heads(current.epoch(), current.positions().with(shard, pos)));
        }
    }

    void move(Heads to) {
        var reached = new ArrayList<AwaitedHeads>();
        synchronized (awaited) {
            now = to;
            awaited.removeIf(each -> isAt(to, each.target) && reached.add(each));
        }
        reached.forEach(each -> each.reached.tryEmitEmpty());
    }

    boolean hasReached(Heads target) {
        return isAt(now, target);
    }

    /** Completes at the positions, on the thread that follows the log. */
    Mono<Void> reaches(Heads target) {
        return Mono.using(() -> await(target), each -> each.reached.asMono(), this::forget);
    }

    private AwaitedHeads await(Heads target) {
        var each = new AwaitedHeads(target, Sinks.empty());
        synchronized (awaited) {
            if (isAt(now, target)) {
                each.reached.tryEmitEmpty();
            } else {
                awaited.add(each);
            }
        }
        return each;
    }

    private void forget(AwaitedHeads each) {
        synchronized (awaited) {
            awaited.remove(each);
        }
    }

    private static boolean isAt(@Nullable Heads heads, @Nullable Heads target) {
        return heads != null
                && target != null
                && heads.epoch() == target.epoch()
                && heads.positions().isAtLeast(target.positions());
    }
}
