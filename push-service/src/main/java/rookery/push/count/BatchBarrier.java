// SPDX-License-Identifier: Apache-2.0
package rookery.push.count;

import java.util.List;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;
import rookery.model.topic.Topics;
import rookery.platform.sql.RequiredColumn;

/**
 * A moment between two batches of the room log. Data from other sources that affects counting, such as push rules, changes only
 * behind this barrier, so no batch sees half of a change.
 *
 * <p>A batch begins by updating its shards' rows of the table {@code follow}. The barrier locks all of these rows, always in the
 * same order. To avoid deadlocks, a transaction takes the barrier before any other row that a batch may touch.
 */
@Component
public class BatchBarrier {
    private static final String HOLD = """
            SELECT pos FROM push.follow WHERE log = :log ORDER BY shard FOR SHARE
            """;

    private final DatabaseClient db;
    private final TransactionalOperator tx;

    BatchBarrier(DatabaseClient db, TransactionalOperator tx) {
        this.db = db;
        this.tx = tx;
    }

    /** Takes the barrier until the surrounding transaction ends. Returns the position of each shard of the room log. */
    public Mono<List<Long>> begin() {
        return db.sql(HOLD)
                .bind("log", Topics.ROOM_LOG)
                .map(row -> RequiredColumn.of(row, "pos", Long.class))
                .all()
                .collectList()
                .as(tx::transactional);
    }
}
