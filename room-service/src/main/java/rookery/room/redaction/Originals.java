package rookery.room.redaction;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** The originals of redacted events; the log keeps them here when it strips them. */
@Component
class Originals {
    // in small bites, so that no lock is held for long
    private static final String ERASE = """
            DELETE FROM room.original
             WHERE ctid IN (SELECT ctid FROM room.original WHERE redacted_ms < :before LIMIT 1000)
            """;

    private final DatabaseClient db;

    Originals(DatabaseClient db) {
        this.db = db;
    }

    /** Erases up to 1,000 of events that were redacted before that moment, of all tenants; answers how many. */
    Mono<Long> erase(long beforeMillis) {
        return db.sql(ERASE).bind("before", beforeMillis).fetch().rowsUpdated();
    }
}
