// SPDX-License-Identifier: Apache-2.0
package rookery.room;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.r2dbc.connection.R2dbcTransactionManager;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.transaction.reactive.TransactionalOperator;
import rookery.model.id.RoomId;
import rookery.model.id.Shards;
import rookery.platform.log.append.LogEntries;
import tools.jackson.databind.JsonNode;

/** Entries that an import of a tenant has inserted beyond the end of a shard, before the end moves behind them (decision 0037). */
class EntriesBeyondTheEndIT {
    private static final long DISTANCE = 1L << 32;

    @RegisterExtension
    static final RoomServer server = RoomServer.own();

    private final String room = server.as("ada").createRoom("{}");
    private final int shard = Shards.of(new RoomId(room));

    private JsonNode range(long after) {
        return server.internal("GET", "/internal/log/%d?after=%d".formatted(shard, after), null)
                .json();
    }

    private static List<Long> positions(JsonNode range) {
        var positions = new ArrayList<Long>();
        range.path("entries").forEach(entry -> positions.add(entry.path("pos").longValue()));
        return positions;
    }

    private void insert(long pos) {
        server.bean(DatabaseClient.class)
                .sql("""
                        INSERT INTO room.log_entry (shard, pos, kind, unit_end, tenant, room_id, subject, created_ms, body)
                        SELECT shard, :pos, kind, unit_end, tenant, room_id, subject, created_ms, body
                          FROM room.log_entry WHERE shard = :shard ORDER BY pos LIMIT 1
                        """)
                .bind("pos", pos)
                .bind("shard", shard)
                .then()
                .block();
    }

    @Test
    void aFollowerReadsThemWhenTheEndHasMovedBehindThem() {
        long end = range(0).path("head").longValue();
        long imported = end + DISTANCE;
        insert(imported);

        var before = range(end - 1);
        assertThat(positions(before)).containsExactly(end);
        assertThat(before.path("covered_to").longValue()).isEqualTo(end);

        server.as("ada").send(room, "txn", "meanwhile");
        var meanwhile = range(end);
        assertThat(positions(meanwhile)).containsExactly(end + 1);
        assertThat(meanwhile.path("covered_to").longValue()).isEqualTo(end + 1);

        var db = server.bean(DatabaseClient.class);
        var tx = TransactionalOperator.create(new R2dbcTransactionManager(db.getConnectionFactory()));
        tx.transactional(server.bean(LogEntries.class).moveEnds(Map.of(shard, imported), 1))
                .block();
        var after = range(end + 1);
        assertThat(positions(after)).containsExactly(imported);
        assertThat(after.path("covered_to").longValue()).isEqualTo(imported);

        server.as("ada").send(room, "later", "later");
        assertThat(positions(range(imported))).containsExactly(imported + 1);
    }
}
