package rookery.room.timeline;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import rookery.platform.http.PageBytes;
import rookery.room.table.BoundedRows;

/**
 * A page of what a reader may see out of rows that come in stretches, in the order of a position: rows that are hidden are
 * passed over, and pages that follow each other neither overlap nor leave holes.
 *
 * @param <T> a row
 */
final class SparsePages<T> {
    private static final int SCAN_MAX = 1_000;
    private static final int STRETCH = 200;

    /** Rows beyond a place, at most so many, and no more than a page may have bytes. */
    interface Source<T> {
        Mono<BoundedRows<T>> stretch(long place, int limit);
    }

    /**
     * A page.
     *
     * @param next where the next page begins, or null if nothing further exists
     */
    record Page<T>(List<T> rows, @Nullable Long next) {
        /** The page with only so many of its rows, the first ones; the next one goes on behind those. */
        Page<T> first(int count, ToLongFunction<T> placeAfter) {
            return count == rows.size()
                    ? this
                    : new Page<>(rows.subList(0, count), placeAfter.applyAsLong(rows.get(count - 1)));
        }
    }

    private final Source<T> source;
    private final Predicate<T> shown;
    private final ToLongFunction<T> placeAfter;
    private final int limit;
    private final List<T> found = new ArrayList<>();
    private long place;
    private long bytes;
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
        return source.stretch(place, asked).flatMap(read -> {
            take(read, asked);
            boolean done = exhausted || more || scanned >= SCAN_MAX || isFull();
            return done ? Mono.just(new Page<>(found, exhausted ? null : Long.valueOf(place))) : scan();
        });
    }

    private boolean isFull() {
        return bytes >= PageBytes.PAGE_MAX;
    }

    private void take(BoundedRows<T> read, int asked) {
        exhausted = read.rows().size() < asked && !read.cut();
        for (var counted : read.rows()) {
            var row = counted.row();
            boolean passes = shown.test(row);
            if (passes && (found.size() == limit || isFull())) {
                exhausted = false;
                more = true;
                return; // it belongs to the next page, which begins here
            }
            if (passes) {
                found.add(row);
                bytes += counted.bytes();
            }
            place = placeAfter.applyAsLong(row);
            scanned++;
        }
    }
}
