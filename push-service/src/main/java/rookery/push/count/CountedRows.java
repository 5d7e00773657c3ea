// SPDX-License-Identifier: Apache-2.0
package rookery.push.count;

import java.util.List;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.platform.sql.Portions;
import rookery.push.Columns;
import rookery.push.count.CohortNotifications.NotificationRows;
import rookery.push.count.Exceptions.OwnVerdict;
import rookery.push.count.ReadPositions.ReadUpdate;
import rookery.push.delivery.ReadUpTo;

/** Writes the rows that every batch has: notifications with their running counts, exceptions and read positions. */
@Component
class CountedRows {
    /** The parts write different tables, and none reads what another one writes. */
    private static final String WRITE = "WITH noted AS (" + Columns.prefixed(CohortNotifications.INSERT, "n_")
            + "), heads AS (" + Columns.prefixed(CohortNotifications.SET_HEADS, "h_")
            + "), exceptions AS (" + Columns.prefixed(Exceptions.INSERT, "e_")
            + "), " + Columns.prefixed(ReadPositions.ADVANCE, "r_");

    private final DatabaseClient db;

    CountedRows(DatabaseClient db) {
        this.db = db;
    }

    /**
     * Writes all rows in one statement, or in one for each 1,000 rows of a table. Read positions of joined members advance, only
     * forward and only beyond their join. Returns the advanced positions of members with pushers.
     */
    Mono<List<ReadUpTo>> write(NotificationRows notifications, List<OwnVerdict> exceptions, List<ReadUpdate> readings) {
        var noted = Portions.of(notifications.notifications());
        var heads = Portions.of(notifications.heads());
        var own = Portions.of(exceptions);
        var read = Portions.of(readings);
        int statements = Math.max(Math.max(noted.size(), heads.size()), Math.max(own.size(), read.size()));
        return Flux.range(0, statements)
                .concatMap(i -> {
                    var withNoted = CohortNotifications.bind(Columns.ofPart("n_", db.sql(WRITE), portion(noted, i)));
                    var withHeads = CohortNotifications.bindHeads(Columns.ofPart("h_", withNoted, portion(heads, i)));
                    var withOwn = Exceptions.bind(Columns.ofPart("e_", withHeads, portion(own, i)));
                    return ReadPositions.bind(Columns.ofPart("r_", withOwn, portion(read, i)))
                            .map(ReadPositions::readUpTo)
                            .all();
                })
                .collectList();
    }

    private static <T> List<T> portion(List<List<T>> portions, int index) {
        return index < portions.size() ? portions.get(index) : List.of();
    }
}
