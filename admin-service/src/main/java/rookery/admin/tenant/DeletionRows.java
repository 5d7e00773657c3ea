// SPDX-License-Identifier: Apache-2.0
package rookery.admin.tenant;

import io.r2dbc.spi.Readable;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.platform.erasure.TenantErasure.Cursor;
import rookery.platform.http.ServiceName;
import rookery.platform.sql.RequiredColumn;

/** The table {@code tenant_deletion}. All times are those of the database. */
@Component
class DeletionRows {
    private static final String NOW = "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)";

    private static final String COLUMNS =
            "tenant, due_ms, pass, service, table_name, block, pass_count, deleted, done_ms";

    /** The grace of a repeated request counts from now. */
    private static final String REQUEST = """
            INSERT INTO admin.tenant_deletion (tenant, due_ms, next_ms, service)
            SELECT :tenant, due, due, :service FROM (SELECT NOW + :grace AS due) AS deletion
            ON CONFLICT (tenant) DO UPDATE SET due_ms = excluded.due_ms, next_ms = excluded.next_ms
            """.replace("NOW", NOW);

    private static final String CANCEL = "DELETE FROM admin.tenant_deletion WHERE tenant = :tenant";

    private static final String DUE = """
            SELECT tenant FROM admin.tenant JOIN admin.tenant_deletion USING (tenant)
             WHERE state = 'deleting' AND due_ms <= NOW AND done_ms IS NULL
             ORDER BY due_ms LIMIT 1
            """.replace("NOW", NOW);

    /** Starts with the first pass, also where an earlier deletion ended. */
    private static final String BEGIN = """
            UPDATE admin.tenant_deletion
               SET due_ms = least(due_ms, NOW), next_ms = NOW, pass = 1, service = :service, table_name = '', block = 0,
                   pass_count = 0, done_ms = NULL
             WHERE tenant = :tenant
            """.replace("NOW", NOW);

    private static final String CLAIM = """
            UPDATE admin.tenant_deletion SET next_ms = NOW + :lease
             WHERE tenant = (SELECT tenant FROM admin.tenant JOIN admin.tenant_deletion USING (tenant)
                              WHERE state = 'erasing' AND next_ms <= NOW AND done_ms IS NULL
                              ORDER BY next_ms LIMIT 1 FOR UPDATE OF tenant_deletion SKIP LOCKED)
            RETURNING COLUMNS
            """.replace("NOW", NOW).replace("COLUMNS", COLUMNS);

    private static final String ADVANCE = """
            UPDATE admin.tenant_deletion
               SET next_ms = NOW + :pause, pass = :pass, service = :service, table_name = :table, block = :block,
                   pass_count = :passCount, deleted = :deleted
             WHERE tenant = :tenant AND done_ms IS NULL
            """.replace("NOW", NOW);

    private static final String FINISH = """
            UPDATE admin.tenant_deletion SET done_ms = NOW WHERE tenant = :tenant
            """.replace("NOW", NOW);

    private static final String FIND =
            "SELECT COLUMNS FROM admin.tenant_deletion WHERE tenant = :tenant".replace("COLUMNS", COLUMNS);

    private final DatabaseClient db;

    DeletionRows(DatabaseClient db) {
        this.db = db;
    }

    /**
     * The deletion of a tenant.
     *
     * @param passCount rows and files deleted in this pass
     * @param deleted rows and files of all passes
     */
    record Deletion(
            int tenant,
            long dueMillis,
            int pass,
            String service,
            Cursor cursor,
            long passCount,
            long deleted,
            @Nullable Long doneMillis) {}

    Mono<Void> request(int tenant, Duration grace) {
        return db.sql(REQUEST)
                .bind("tenant", tenant)
                .bind("service", ServiceName.AUTH.title())
                .bind("grace", grace.toMillis())
                .then();
    }

    Mono<Void> cancel(int tenant) {
        return db.sql(CANCEL).bind("tenant", tenant).then();
    }

    /** The tenants whose time has come. */
    Flux<Integer> due() {
        return db.sql(DUE)
                .map(row -> RequiredColumn.of(row, "tenant", Integer.class))
                .all();
    }

    Mono<Void> begin(int tenant) {
        return db.sql(BEGIN)
                .bind("tenant", tenant)
                .bind("service", ServiceName.AUTH.title())
                .then();
    }

    /** A deletion that no other instance claims for that time; empty without one. */
    Mono<Deletion> claim(Duration lease) {
        return db.sql(CLAIM)
                .bind("lease", lease.toMillis())
                .map(DeletionRows::deletion)
                .one();
    }

    /** Stores the progress; the next portion may be deleted after the pause. */
    Mono<Void> advance(Deletion deletion, Duration pause) {
        return db.sql(ADVANCE)
                .bind("tenant", deletion.tenant)
                .bind("pause", pause.toMillis())
                .bind("pass", deletion.pass)
                .bind("service", deletion.service)
                .bind("table", deletion.cursor.table())
                .bind("block", deletion.cursor.block())
                .bind("passCount", deletion.passCount)
                .bind("deleted", deletion.deleted)
                .then();
    }

    Mono<Void> finish(int tenant) {
        return db.sql(FINISH).bind("tenant", tenant).then();
    }

    Mono<Deletion> find(int tenant) {
        return db.sql(FIND).bind("tenant", tenant).map(DeletionRows::deletion).one();
    }

    private static Deletion deletion(Readable row) {
        return new Deletion(
                RequiredColumn.of(row, "tenant", Integer.class),
                RequiredColumn.of(row, "due_ms", Long.class),
                RequiredColumn.of(row, "pass", Integer.class),
                RequiredColumn.of(row, "service", String.class),
                new Cursor(
                        RequiredColumn.of(row, "table_name", String.class),
                        RequiredColumn.of(row, "block", Long.class)),
                RequiredColumn.of(row, "pass_count", Long.class),
                RequiredColumn.of(row, "deleted", Long.class),
                row.get("done_ms", Long.class));
    }
}
