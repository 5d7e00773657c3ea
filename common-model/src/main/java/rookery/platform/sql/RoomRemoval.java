// SPDX-License-Identifier: Apache-2.0
package rookery.platform.sql;

import java.util.List;
import org.springframework.r2dbc.core.DatabaseClient;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;

/**
 * Deletes the rows of a purged room from tables with the columns {@code tenant} and {@code room_id}, in portions, because a room
 * may have millions of rows and other transactions must not wait. Committed portions stay deleted, so an interrupted removal can
 * be repeated.
 */
public final class RoomRemoval {
    /** The most rows of each table in a portion. */
    public static final int PORTION = 2_000;

    private static final String DELETE = """
            DELETE FROM TABLE WHERE ctid = ANY (ARRAY(
                   SELECT ctid FROM TABLE WHERE tenant = :tenant AND room_id = :room AND room_id <> '' LIMIT :most))
            """;

    private final DatabaseClient db;
    private final List<String> statements;

    /** @param tables with their schema; never user input */
    public RoomRemoval(DatabaseClient db, List<String> tables) {
        this.db = db;
        this.statements =
                tables.stream().map(table -> DELETE.replace("TABLE", table)).toList();
    }

    /** Deletes a portion of all tables and returns the number of rows; 0 when no rows are left. */
    public Mono<Long> portion(TenantId tenant, RoomId room) {
        return Flux.fromIterable(statements)
                .concatMap(statement -> db.sql(statement)
                        .bind("tenant", tenant)
                        .bind("room", room)
                        .bind("most", PORTION)
                        .fetch()
                        .rowsUpdated())
                .reduce(0L, Long::sum);
    }

    public Mono<Void> all(TenantId tenant, RoomId room) {
        return Mono.defer(() -> portion(tenant, room))
                .repeat()
                .takeUntil(rows -> rows == 0)
                .then();
    }
}
