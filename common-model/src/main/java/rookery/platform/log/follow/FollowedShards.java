// SPDX-License-Identifier: Apache-2.0
package rookery.platform.log.follow;

import java.util.List;
import org.springframework.r2dbc.core.DatabaseClient;
import reactor.core.publisher.Mono;
import rookery.model.token.Positions;
import rookery.platform.log.append.Head;
import rookery.platform.log.append.Heads;

/**
 * The table {@code follow} of one service: its position in each shard of a log. Its migration inserts a row for each shard, with
 * epoch 0, which precedes every log.
 */
public class FollowedShards {
    private static final String READ = """
            SELECT shard, epoch, pos, number FROM SCHEMA.follow WHERE log = :log ORDER BY shard
            """;

    private static final String LOCK = READ + " FOR UPDATE";

    private static final String FIND = """
            SELECT shard, epoch, pos, number FROM SCHEMA.follow WHERE log = :log AND shard = :shard
            """;

    private static final String RESTART = """
            UPDATE SCHEMA.follow SET epoch = :epoch, pos = 0, number = 0 WHERE log = :log
            """;

    private static final String CARRY = """
            UPDATE SCHEMA.follow SET epoch = :epoch WHERE log = :log
            """;

    private static final String MOVE = """
            UPDATE SCHEMA.follow SET pos = :to, number = :number
             WHERE log = :log AND shard = :shard AND epoch = :epoch AND pos = :from
            """;

    /** Locks in the order of the shards, like all other statements that lock several of them. */
    private static final String MOVE_ALL = """
            WITH locked AS MATERIALIZED (
                SELECT shard, epoch, pos FROM SCHEMA.follow
                 WHERE log = :log AND shard = ANY (:shards) ORDER BY shard FOR UPDATE)
            UPDATE SCHEMA.follow AS f SET pos = moved.to_pos, number = moved.number
              FROM unnest(:shards::int[], :epochs::bigint[], :from::bigint[], :to::bigint[], :numbers::bigint[])
                   AS moved (shard, epoch, from_pos, to_pos, number)
              JOIN locked ON locked.shard = moved.shard AND locked.epoch = moved.epoch AND locked.pos = moved.from_pos
             WHERE f.log = :log AND f.shard = moved.shard
            """;

    private final DatabaseClient db;
    private final String log;
    private final String read;
    private final String lock;
    private final String find;
    private final String restart;
    private final String carry;
    private final String move;
    private final String moveAll;

    /**
     * Creates the table's rows of one log.
     *
     * @param schema the service's own schema, such as {@code room}; never user input
     * @param log one of {@link rookery.model.topic.Topics}
     */
    public FollowedShards(DatabaseClient db, String schema, String log) {
        this.db = db;
        this.log = log;
        this.read = READ.replace("SCHEMA", schema);
        this.lock = LOCK.replace("SCHEMA", schema);
        this.find = FIND.replace("SCHEMA", schema);
        this.restart = RESTART.replace("SCHEMA", schema);
        this.carry = CARRY.replace("SCHEMA", schema);
        this.move = MOVE.replace("SCHEMA", schema);
        this.moveAll = MOVE_ALL.replace("SCHEMA", schema);
    }

    /** The positions of all shards. */
    Mono<Heads> read() {
        return all(read);
    }

    /** Locks and returns the positions of all shards until the end of the transaction. */
    Mono<Heads> lock() {
        return all(lock);
    }

    private Mono<Heads> all(String sql) {
        return db.sql(sql).bind("log", log).map(Head::of).all().collectList().map(FollowedShards::heads);
    }

    public Mono<Head> find(int shard) {
        return db.sql(find).bind("log", log).bind("shard", shard).map(Head::of).one();
    }

    Mono<Void> restart(long epoch) {
        return db.sql(restart).bind("log", log).bind("epoch", epoch).then();
    }

    /** Continues at the same positions in the new epoch, in which all followed entries are valid. */
    Mono<Void> carry(long epoch) {
        return db.sql(carry).bind("log", log).bind("epoch", epoch).then();
    }

    /** Moves the position of a shard by compare-and-set. False if another instance has moved the position. */
    Mono<Boolean> move(Head from, long to, long number) {
        return db.sql(move)
                .bind("log", log)
                .bind("shard", from.shard())
                .bind("epoch", from.epoch())
                .bind("from", from.pos())
                .bind("to", to)
                .bind("number", number)
                .fetch()
                .rowsUpdated()
                .map(rows -> rows == 1);
    }

    /** Moves the positions of several shards. False, with some moved, if another instance has moved one of them. */
    Mono<Boolean> move(List<Head> from, List<Head> to) {
        return db.sql(moveAll)
                .bind("log", log)
                .bind("shards", from.stream().map(Head::shard).toArray(Integer[]::new))
                .bind("epochs", from.stream().map(Head::epoch).toArray(Long[]::new))
                .bind("from", from.stream().map(Head::pos).toArray(Long[]::new))
                .bind("to", to.stream().map(Head::pos).toArray(Long[]::new))
                .bind("numbers", to.stream().map(Head::number).toArray(Long[]::new))
                .fetch()
                .rowsUpdated()
                .map(rows -> rows == from.size());
    }

    private static Heads heads(List<Head> all) {
        return new Heads(
                all.getFirst().epoch(),
                Positions.of(all.stream().mapToLong(Head::pos).toArray()),
                all.stream().map(Head::number).toList());
    }
}
