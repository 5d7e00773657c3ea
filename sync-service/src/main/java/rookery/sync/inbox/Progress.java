package rookery.sync.inbox;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import rookery.model.error.ApiException;
import rookery.platform.log.append.Heads;

/** How far this node has followed a log: everything up to there can be read here, and nothing after it is shown. */
final class Progress {
    private final List<AwaitedHeads> awaited = new ArrayList<>();
    private volatile @Nullable Heads now;
    private volatile @Nullable Heads filled;

    private record AwaitedHeads(Heads wanted, Sinks.Empty<Void> reached) {}

    @Nullable
    Heads nowOrNull() {
        return now;
    }

    /** Where the node stands; 503 before it has begun. */
    Heads now() {
        var known = now;
        if (known == null) {
            throw ApiException.unavailable("this part of the server is still starting, try again in a moment");
        }
        return known;
    }

    /** Begins at a position, and has caught up once it is at the other. */
    void begin(Heads from, Heads to) {
        filled = to;
        move(from);
    }

    /** Whether the node has what was there when it began. */
    boolean isFilled() {
        var to = filled;
        return to != null && isAt(now, to);
    }

    void move(int shard, long pos) {
        var known = now();
        if (pos != known.positions().at(shard)) {
            move(new Heads(known.epoch(), known.positions().with(shard, pos)));
        }
    }

    void move(Heads to) {
        var reached = new ArrayList<AwaitedHeads>();
        synchronized (awaited) {
            now = to;
            awaited.removeIf(each -> isAt(to, each.wanted) && reached.add(each));
        }
        reached.forEach(each -> each.reached.tryEmitEmpty());
    }

    /** Completes once the node stands there, on the thread that follows the log. */
    Mono<Void> reaches(Heads wanted) {
        return Mono.using(() -> await(wanted), each -> each.reached.asMono(), this::forget);
    }

    private AwaitedHeads await(Heads wanted) {
        var each = new AwaitedHeads(wanted, Sinks.empty());
        synchronized (awaited) {
            if (isAt(now, wanted)) {
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

    private static boolean isAt(@Nullable Heads heads, Heads wanted) {
        return heads != null
                && heads.epoch() == wanted.epoch()
                && heads.positions().isAtLeast(wanted.positions());
    }
}
