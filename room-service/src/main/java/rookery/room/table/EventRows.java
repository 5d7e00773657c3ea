// SPDX-License-Identifier: Apache-2.0
package rookery.room.table;

import io.r2dbc.spi.Readable;
import java.util.function.Function;
import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;
import reactor.core.publisher.Mono;
import rookery.platform.sql.RequiredColumn;
import rookery.room.table.BoundedRows.SizedRow;

/** Reads events from rows with the columns {@code pos} and {@code body}. */
public final class EventRows {
    private EventRows() {}

    public static StoredEvent event(Readable row) {
        return StoredEvent.of(RequiredColumn.of(row, "pos", Long.class), RequiredColumn.of(row, "body", String.class));
    }

    /** Reads the rows of a statement made by {@link BoundedRows#sql}. */
    public static <T> Mono<BoundedRows<T>> bounded(GenericExecuteSpec sql, Function<Readable, T> read) {
        return sql.map(row -> new SizedRow<>(read.apply(row), RequiredColumn.of(row, "bytes", Integer.class)))
                .all()
                .collectList()
                .map(BoundedRows::of);
    }
}
