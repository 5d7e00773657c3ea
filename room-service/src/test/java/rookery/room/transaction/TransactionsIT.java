// SPDX-License-Identifier: Apache-2.0
package rookery.room.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.springframework.r2dbc.connection.R2dbcTransactionManager;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.transaction.reactive.TransactionalOperator;
import rookery.embedded.Database;
import rookery.embedded.TestServers;
import rookery.model.id.DeviceId;
import rookery.model.id.EventId;
import rookery.model.id.TenantId;
import rookery.model.id.TransactionId;
import rookery.model.id.UserId;
import rookery.room.RoomDatabase;

class TransactionsIT {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration LIFE = Duration.ofHours(24);
    private static final Duration GONE_BY = Duration.ofDays(2);
    private static final Instant BEGUN = Instant.parse("2026-01-31T23:10:00Z");

    private final Database database = TestServers.database("room-service");
    private final DatabaseClient db = RoomDatabase.client(database);
    private final Transactions transactions =
            new Transactions(db, TransactionalOperator.create(new R2dbcTransactionManager(db.getConnectionFactory())));
    private Instant now = BEGUN;
    private final TransactionCleaner cleaner = new TransactionCleaner(transactions, clock(Duration.ZERO));

    private Clock clock(Duration ahead) {
        return new Clock() {
            @Override
            public Instant instant() {
                return now.plus(ahead);
            }

            @Override
            public ZoneId getZone() {
                return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(ZoneId zone) {
                return this;
            }
        };
    }

    @Test
    void idsAreKnownForADayAndGoneAfterTwoWhileInstancesWithOtherClocksCleanUp() {
        var early = new TransactionCleaner(transactions, clock(Duration.ofMinutes(90)));
        var late = new TransactionCleaner(transactions, clock(Duration.ofMinutes(-90)));
        var written = new LinkedHashMap<TransactionKey, Instant>();
        for (int hour = 0; hour < 120; hour += 2) {
            now = BEGUN.plus(Duration.ofHours(hour));
            var key = key(hour);
            transactions
                    .insert(Map.of(key, new EventId("$" + hour)), now.toEpochMilli())
                    .block();
            written.put(key, now);
            early.clean().block();
            cleaner.clean().block();
            late.clean().block();
            var found = transactions.find(written.keySet()).blockOptional().orElseThrow();
            written.forEach((each, at) -> {
                var age = Duration.between(at, now);
                if (age.compareTo(LIFE) <= 0) {
                    assertThat(found).as("%s old", age).containsKey(each);
                }
                if (age.compareTo(GONE_BY) > 0) {
                    assertThat(found).as("%s old", age).doesNotContainKey(each);
                }
            });
        }
    }

    /** A backup reads all tables in one transaction; a statement that waited for the backup would block all appends. */
    @Test
    void nobodyWaitsForACleanerThatWaitsForABackup() throws SQLException {
        now = Instant.parse("2026-02-03T06:00:00Z");
        try (var backup = database.connect();
                var statement = backup.createStatement()) {
            backup.setAutoCommit(false);
            statement.execute("SELECT count(*) FROM room.transaction");
            cleaner.clean().block(PATIENCE);
            long next = now.plus(Duration.ofHours(12)).toEpochMilli();
            transactions.insert(Map.of(key(3), new EventId("$3")), next).block(PATIENCE);
            backup.rollback();
        }
        cleaner.clean().block(PATIENCE);
        assertThat(transactions.find(Set.of(key(3))).block()).isEmpty();
    }

    @Test
    void aTurnIsEmptiedOnce() {
        now = Instant.parse("2026-02-01T06:00:00Z");
        cleaner.clean().block();
        var early = now.plus(Duration.ofHours(12)).toEpochMilli(); // of the turn whose bucket was emptied
        transactions.insert(Map.of(key(1), new EventId("$1")), early).block();
        cleaner.clean().block();

        assertThat(transactions.find(Set.of(key(1))).block()).containsKey(key(1));
    }

    private static TransactionKey key(int number) {
        return new TransactionKey(
                new TenantId(1),
                new UserId("@ada:example.org"),
                new DeviceId("D"),
                "send",
                new TransactionId("t" + number));
    }
}
