// SPDX-License-Identifier: Apache-2.0
package rookery.room.redaction;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** The table {@code room.original}: originals of redacted events, written by the room log when it strips an event. */
@Component
class Originals {
    // in small portions, so that locks are short
    private static final String ERASE = """
            DELETE FROM room.original
             WHERE ctid IN (SELECT ctid FROM room.original WHERE redacted_ms < :before LIMIT 1000)
            """;

    private final DatabaseClient db;

    Originals(DatabaseClient db) {
        this.db = db;
    }

    /** Erases up to 1,000 originals of events redacted before that time, of all tenants; returns the number. */
    Mono<Long> erase(long beforeMillis) {
        return db.sql(ERASE).bind("before", beforeMillis).fetch().rowsUpdated();
    }
}
