package rookery.push.count;

import java.util.List;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;
import rookery.model.topic.Topics;
import rookery.platform.sql.RequiredColumn;

/**
 * A moment at which no batch of the room log is being counted. What comes from elsewhere and changes how events are counted, such
 * as rules, is changed in such a moment: then it falls between two batches, and no batch sees half of it.
 *
 * <p>A batch begins by moving its shard's row of the table {@code follow}; here all rows are locked against that, always in the
 * same order. Whoever needs it takes it before anything else that a batch may touch.
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

    /** From now on until the transaction ends, in which this must be. Answers how far each shard has been counted. */
    public Mono<List<Long>> begin() {
        return db.sql(HOLD)
                .bind("log", Topics.ROOM_LOG)
                .map(row -> RequiredColumn.of(row, "pos", Long.class))
                .all()
                .collectList()
                .as(tx::transactional);
    }
}
