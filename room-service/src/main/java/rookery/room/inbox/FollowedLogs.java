package rookery.room.inbox;

import io.r2dbc.spi.Readable;
import java.util.List;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.token.Positions;
import rookery.platform.log.Head;
import rookery.platform.log.Heads;
import rookery.platform.sql.RequiredColumn;

/** The table of how far each shard of a log has been followed. */
@Component
class FollowedLogs {
    private static final String LOCK = """
            SELECT shard, epoch, pos FROM room.follow WHERE log = :log ORDER BY shard FOR UPDATE
            """;

    private static final String FIND = """
            SELECT shard, epoch, pos FROM room.follow WHERE log = :log AND shard = :shard
            """;

    private static final String RESTART = """
            UPDATE room.follow SET epoch = :epoch, pos = 0 WHERE log = :log
            """;

    private static final String MOVE = """
            UPDATE room.follow SET pos = :to
             WHERE log = :log AND shard = :shard AND epoch = :epoch AND pos = :from
            """;

    private final DatabaseClient db;

    FollowedLogs(DatabaseClient db) {
        this.db = db;
    }

    /** How far all shards are; until the transaction ends nobody moves them. */
    Mono<Heads> lock(String log) {
        return db.sql(LOCK)
                .bind("log", log)
                .map(FollowedLogs::head)
                .all()
                .collectList()
                .map(FollowedLogs::heads);
    }

    Mono<Head> find(String log, int shard) {
        return db.sql(FIND)
                .bind("log", log)
                .bind("shard", shard)
                .map(FollowedLogs::head)
                .one();
    }

    /** From the beginning of that epoch. */
    Mono<Void> restart(String log, long epoch) {
        return db.sql(RESTART).bind("log", log).bind("epoch", epoch).then();
    }

    /** Whether the shard stood where it was thought to stand. */
    Mono<Boolean> move(String log, Head from, long to) {
        return db.sql(MOVE)
                .bind("log", log)
                .bind("shard", from.shard())
                .bind("epoch", from.epoch())
                .bind("from", from.pos())
                .bind("to", to)
                .fetch()
                .rowsUpdated()
                .map(rows -> rows == 1);
    }

    private static Heads heads(List<Head> all) {
        return new Heads(
                all.getFirst().epoch(),
                Positions.of(all.stream().mapToLong(Head::pos).toArray()));
    }

    private static Head head(Readable row) {
        return new Head(
                RequiredColumn.of(row, "shard", Integer.class),
                RequiredColumn.of(row, "epoch", Long.class),
                RequiredColumn.of(row, "pos", Long.class));
    }
}
