// SPDX-License-Identifier: Apache-2.0
package rookery.admin.tenant;

import io.r2dbc.spi.Readable;
import java.time.Clock;
import java.util.List;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.platform.sql.RequiredColumn;

/** The table of operators beside the root operator of the configuration. */
@Component
class Operators {
    private static final String ALL = """
            SELECT name, writes, created_ms, created_by FROM admin.operator_credential ORDER BY name
            """;

    private static final String FIND = """
            SELECT name, writes, created_ms, created_by FROM admin.operator_credential WHERE token_hash = :hash
            """;

    private static final String INSERT = """
            INSERT INTO admin.operator_credential (name, token_hash, writes, created_ms, created_by)
            VALUES (:name, :hash, :writes, :now, :by)
            ON CONFLICT (name) DO NOTHING
            """;

    private static final String DELETE = "DELETE FROM admin.operator_credential WHERE name = :name";

    private final DatabaseClient db;
    private final Clock clock;

    Operators(DatabaseClient db, Clock clock) {
        this.db = db;
        this.clock = clock;
    }

    /** @param writes whether the operator may change something */
    record OperatorRow(String name, boolean writes, long createdMillis, String createdBy) {}

    Mono<List<OperatorRow>> all() {
        return db.sql(ALL).map(Operators::row).all().collectList();
    }

    /** Empty for an unknown hash. */
    Mono<OperatorRow> find(byte[] tokenHash) {
        return db.sql(FIND).bind("hash", tokenHash).map(Operators::row).one();
    }

    /** False for a name that an operator has. */
    Mono<Boolean> insert(String name, byte[] tokenHash, boolean writes, String by) {
        return db.sql(INSERT)
                .bind("name", name)
                .bind("hash", tokenHash)
                .bind("writes", writes)
                .bind("now", clock.millis())
                .bind("by", by)
                .fetch()
                .rowsUpdated()
                .map(rows -> rows == 1);
    }

    /** False for an unknown name. */
    Mono<Boolean> delete(String name) {
        return db.sql(DELETE).bind("name", name).fetch().rowsUpdated().map(rows -> rows == 1);
    }

    private static OperatorRow row(Readable row) {
        return new OperatorRow(
                RequiredColumn.of(row, "name", String.class),
                RequiredColumn.of(row, "writes", Boolean.class),
                RequiredColumn.of(row, "created_ms", Long.class),
                RequiredColumn.of(row, "created_by", String.class));
    }
}
