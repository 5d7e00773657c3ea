// SPDX-License-Identifier: Apache-2.0
package rookery.auth.keys;

import io.r2dbc.spi.Readable;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.auth.device.TenantDevice;
import rookery.model.id.DeviceId;
import rookery.model.id.Shards;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.model.topic.DeviceLogRecord.KeyCountsSet;
import rookery.platform.log.append.Head;
import rookery.platform.runtime.DueWork;
import rookery.platform.sql.RequiredColumn;

/** The counts of unclaimed keys, and the table of devices whose counts are still to be appended to the user log. */
@Component
class KeyCounts {
    /** One statement, so that counts and position belong to the same snapshot. */
    private static final String COUNT = """
            SELECT s.epoch, s.pos, c.algorithm, c.number
              FROM auth.shard s
              LEFT JOIN (SELECT algorithm, count(*) AS number FROM auth.one_time_key
                          WHERE tenant = :tenant AND user_id = :user AND device_id = :device AND claimed_at IS NULL
                          GROUP BY algorithm
                          UNION ALL
                         SELECT algorithm, -1 FROM auth.fallback_key
                          WHERE tenant = :tenant AND user_id = :user AND device_id = :device AND NOT used) c ON true
             WHERE s.shard = :shard
            """;

    private static final String DUE = """
            SELECT DISTINCT tenant, user_id, device_id FROM auth.key_count_due LIMIT :limit
            """;

    private static final String DONE = """
            DELETE FROM auth.key_count_due WHERE tenant = :tenant AND user_id = :user AND device_id = :device
            """;

    /** Clients expect a count of this algorithm even if it is 0. */
    private static final String USUAL = "signed_curve25519";

    private static final long FALLBACK = -1;

    private final DatabaseClient db;
    private final DueWork claimed;

    KeyCounts(DatabaseClient db, Clock clock) {
        this.db = db;
        this.claimed = new DueWork(clock);
    }

    /** To be called after a claim: its devices are due. */
    void noteClaim() {
        claimed.note();
    }

    /** The current counts; zero for an unknown device. */
    Mono<CountsAtHead> of(TenantDevice device) {
        int shard = Shards.of(device.user());
        return device.bindTo(db.sql(COUNT))
                .bind("shard", shard)
                .map(row -> CountRow.of(row, shard))
                .all()
                .collectList()
                .map(rows -> counted(device, rows));
    }

    /** Some devices with claimed keys that are not yet in the user log. */
    Mono<List<TenantDevice>> due(int limit) {
        return claimed.look(
                limit,
                db.sql(DUE)
                        .bind("limit", limit)
                        .map(row -> new TenantDevice(
                                RequiredColumn.of(row, "tenant", TenantId.class),
                                RequiredColumn.of(row, "user_id", UserId.class),
                                RequiredColumn.of(row, "device_id", DeviceId.class)))
                        .all()
                        .collectList());
    }

    /** True if the device was still due. */
    Mono<Boolean> done(TenantDevice device) {
        return device.bindTo(db.sql(DONE)).fetch().rowsUpdated().map(rows -> rows > 0);
    }

    private static CountsAtHead counted(TenantDevice device, List<CountRow> rows) {
        Map<String, Long> oneTime = new TreeMap<>();
        oneTime.put(USUAL, 0L);
        var unused = new ArrayList<String>();
        for (var row : rows) {
            if (row.algorithm != null && row.number == FALLBACK) {
                unused.add(row.algorithm);
            } else if (row.algorithm != null) {
                oneTime.put(row.algorithm, row.number);
            }
        }
        unused.sort(String::compareTo);
        return new CountsAtHead(rows.getFirst().head, new KeyCountsSet(device.device(), oneTime, unused));
    }

    /** The counts, with the end of the user's shard in the same snapshot. */
    record CountsAtHead(Head head, KeyCountsSet counts) {}

    private record CountRow(Head head, @Nullable String algorithm, long number) {
        static CountRow of(Readable row, int shard) {
            var head = new Head(
                    shard, RequiredColumn.of(row, "epoch", Long.class), RequiredColumn.of(row, "pos", Long.class));
            return new CountRow(
                    head,
                    row.get("algorithm", String.class),
                    Objects.requireNonNullElse(row.get("number", Long.class), 0L));
        }
    }
}
