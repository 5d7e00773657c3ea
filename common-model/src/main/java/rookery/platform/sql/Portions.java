// SPDX-License-Identifier: Apache-2.0
package rookery.platform.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Divides many rows among several statements, so that no statement grows without bound. */
public final class Portions {
    private static final int ROWS_MAX = 1_000;

    private Portions() {}

    /** Runs one statement after the other, for at most 1,000 rows each. */
    public static <T> Mono<Void> each(List<T> rows, Function<List<T>, Mono<Void>> statement) {
        if (rows.size() <= ROWS_MAX) {
            return rows.isEmpty() ? Mono.empty() : statement.apply(rows);
        }
        return Flux.fromIterable(of(rows)).concatMap(statement).then();
    }

    /** Divides the rows in order, at most 1,000 in each portion. */
    public static <T> List<List<T>> of(List<T> rows) {
        return of(rows, ROWS_MAX);
    }

    /** Divides the rows in order, at most that many in each portion. */
    public static <T> List<List<T>> of(List<T> rows, int max) {
        var portions = new ArrayList<List<T>>();
        for (int from = 0; from < rows.size(); from += max) {
            portions.add(rows.subList(from, Math.min(from + max, rows.size())));
        }
        return portions;
    }
}
