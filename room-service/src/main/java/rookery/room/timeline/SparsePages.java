// SPDX-License-Identifier: Apache-2.0
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
 * Reads a page of visible rows from stretches of rows ordered by a position. Hidden rows are skipped; consecutive pages neither
 * overlap nor leave gaps.
 *
 * @param <T> a row
 */
final class SparsePages<T> {
    private static final int SCAN_MAX = 1_000;
    private static final int STRETCH = 200;

    /** Rows beyond a position, up to {@code limit} rows and the bytes of a page. */
    interface Source<T> {
        Mono<BoundedRows<T>> stretch(long place, int limit);
    }

    /** A page of rows, and the position at which the next page begins; null if no further rows exist. */
    record Page<T>(List<T> rows, @Nullable Long next) {
        /** The page with its first {@code count} rows; the next page begins with the rows left out. */
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
    private final List<T> rows = new ArrayList<>();
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

    /** Reads a page from {@code place} on; {@code placeAfter} is the position at which reading continues after a row. */
    static <T> Mono<Page<T>> read(
            Source<T> source, Predicate<T> shown, ToLongFunction<T> placeAfter, long place, int limit) {
        return Mono.defer(() -> new SparsePages<>(source, shown, placeAfter, place, limit).scan());
    }

    private Mono<Page<T>> scan() {
        // one row more than requested shows whether more follow; where much is hidden, stretches are longer
        int requested = scanned == 0 ? limit + 1 : STRETCH;
        return source.stretch(place, requested).flatMap(read -> {
            take(read, requested);
            boolean done = exhausted || more || scanned >= SCAN_MAX || isFull();
            return done ? Mono.just(new Page<>(rows, exhausted ? null : Long.valueOf(place))) : scan();
        });
    }

    private boolean isFull() {
        return bytes >= PageBytes.PAGE_MAX;
    }

    private void take(BoundedRows<T> read, int requested) {
        exhausted = read.rows().size() < requested && !read.cut();
        for (var counted : read.rows()) {
            var row = counted.row();
            boolean passes = shown.test(row);
            if (passes && (rows.size() == limit || isFull())) {
                exhausted = false;
                more = true;
                return; // the row belongs to the next page, which begins here
            }
            if (passes) {
                rows.add(row);
                bytes += counted.bytes();
            }
            place = placeAfter.applyAsLong(row);
            scanned++;
        }
    }
}
