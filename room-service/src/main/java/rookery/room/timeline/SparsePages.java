package rookery.room.timeline;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * A page of what a reader may see out of rows that come in stretches, in the order of a position: rows that are hidden are
 * passed over, and pages that follow each other neither overlap nor leave holes.
 *
 * @param <T> a row
 */
final class SparsePages<T> {
    private static final int SCAN_MAX = 1_000;
    private static final int STRETCH = 200;

    /** Rows beyond a place, at most so many. */
    interface Source<T> {
        Mono<List<T>> stretch(long place, int limit);
    }

    /**
     * A page.
     *
     * @param next where the next page begins, or null if nothing further exists
     */
    record Page<T>(List<T> rows, @Nullable Long next) {}

    private final Source<T> source;
    private final Predicate<T> shown;
    private final ToLongFunction<T> placeAfter;
    private final int limit;
    private final List<T> found = new ArrayList<>();
    private long place;
    private int scanned;
    private boolean exhausted;
    private boolean more;

    private SparsePages(Source<T> source, Predicate<T> shown, ToLongFunction<T> placeAfter, long place, int limit) {
        this.source = source;
        this.shown = shown;
        this.placeAfter = placeAfter;
        this.place = place;
        this.limit = limit;
    }

    /**
     * Reads one.
     *
     * @param shown whether the reader may see the row
     * @param placeAfter where reading goes on behind the row
     */
    static <T> Mono<Page<T>> read(
            Source<T> source, Predicate<T> shown, ToLongFunction<T> placeAfter, long place, int limit) {
        return Mono.defer(() -> new SparsePages<>(source, shown, placeAfter, place, limit).scan());
    }

    private Mono<Page<T>> scan() {
        // one more than is wanted tells whether anything follows; where much is hidden, longer stretches
        int asked = scanned == 0 ? limit + 1 : STRETCH;
        return source.stretch(place, asked).flatMap(rows -> {
            take(rows, asked);
            boolean done = exhausted || more || scanned >= SCAN_MAX;
            return done ? Mono.just(new Page<>(found, exhausted ? null : Long.valueOf(place))) : scan();
        });
    }

    private void take(List<T> rows, int asked) {
        exhausted = rows.size() < asked;
        for (var row : rows) {
            boolean passes = shown.test(row);
            if (passes && found.size() == limit) {
                exhausted = false;
                more = true;
                return; // it belongs to the next page, which begins here
            }
            if (passes) {
                found.add(row);
            }
            place = placeAfter.applyAsLong(row);
            scanned++;
        }
    }
}
