// SPDX-License-Identifier: Apache-2.0
package rookery.room.redaction;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.springframework.r2dbc.core.DatabaseClient;
import rookery.room.RoomDatabase;

/** When originals of redacted events are erased, on a real database and with a test clock. */
class OriginalEraserIT {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

    private final DatabaseClient db = RoomDatabase.fresh();

    @Test
    void originalsGoWhenTheyWereKeptLongEnoughAndNotBefore() {
        keep("old", START, 2_500);
        keep("young", START.plus(Duration.ofDays(1)), 1);

        erase(START.plus(Duration.ofDays(7)));
        assertThat(count()).isEqualTo(2_501);
        erase(START.plus(Duration.ofDays(7)).plusMillis(1));
        assertThat(count()).isEqualTo(1);
        erase(START.plus(Duration.ofDays(9)));
        assertThat(count()).isZero();
    }

    private void keep(String name, Instant redacted, int count) {
        db.sql("INSERT INTO room.original SELECT 1, :name || n, '!r', 'body', :now FROM generate_series(1, :count) n")
                .bind("name", name)
                .bind("now", redacted.toEpochMilli())
                .bind("count", count)
                .then()
                .block(PATIENCE);
    }

    private void erase(Instant now) {
        var properties = new RedactionProperties(Duration.ofDays(7));
        new OriginalEraser(new Originals(db), properties, Clock.fixed(now, ZoneOffset.UTC))
                .erase()
                .block(PATIENCE);
    }

    private long count() {
        return db.sql("SELECT count(*) FROM room.original")
                .mapValue(Long.class)
                .one()
                .blockOptional(PATIENCE)
                .orElseThrow();
    }
}
