package rookery.room.state;

import io.r2dbc.spi.Readable;
import java.util.List;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import rookery.model.id.TenantRoom;
import rookery.platform.sql.Portions;
import rookery.platform.sql.RequiredColumn;
import rookery.room.table.StoredEvent;

/**
 * State of rooms with any number of members, in portions that are read when the one before was taken: first where its events are, then
 * the events. Each portion is a statement of its own, so that whoever reads slowly holds no connection; state at a position never
 * changes, so together they are what was in force there.
 */
@Component
class LargeStates {
    /** An event has at most 64 KiB, and usually half a KiB. */
    private static final int EVENTS_MAX = 100;

    private static final String AT = """
            SELECT s.valid_from
              FROM room.state s
             WHERE s.tenant = :tenant AND s.room_id = :room AND s.valid_from <= :pos AND s.valid_to > :pos
             ORDER BY s.valid_from
            """;

    private static final String MEMBERS_AT = """
            SELECT s.valid_from
              FROM room.state s
             WHERE s.tenant = :tenant AND s.room_id = :room AND s.type = 'm.room.member'
               AND s.valid_from <= :pos AND s.valid_to > :pos
               AND s.membership = ANY (:memberships::text[])
             ORDER BY s.valid_from
            """;

    private static final String EVENTS = """
            SELECT l.pos, l.body FROM room.entry_body l WHERE l.shard = :shard AND l.pos = ANY (:places::bigint[]) ORDER BY l.pos
            """;

    private final DatabaseClient db;

    LargeStates(DatabaseClient db) {
        this.db = db;
    }

    /** The whole state at a position, oldest event first. */
    Flux<List<StoredEvent>> at(TenantRoom room, int shard, long pos) {
        return portions(bound(AT, room, pos), shard);
    }

    /** The member events at a position, of those with one of these memberships, oldest first. */
    Flux<List<StoredEvent>> membersAt(TenantRoom room, int shard, long pos, List<String> memberships) {
        return portions(bound(MEMBERS_AT, room, pos).bind("memberships", memberships.toArray(String[]::new)), shard);
    }

    private DatabaseClient.GenericExecuteSpec bound(String sql, TenantRoom room, long pos) {
        return db.sql(sql)
                .bind("tenant", room.tenant().value())
                .bind("room", room.room().value())
                .bind("pos", pos);
    }

    private Flux<List<StoredEvent>> portions(DatabaseClient.GenericExecuteSpec places, int shard) {
        return places.mapValue(Long.class)
                .all()
                .collectList()
                .flatMapIterable(found -> Portions.of(found, EVENTS_MAX))
                .concatMap(portion -> events(shard, portion), 1);
    }

    /**
     * One portion. It is read at once, whether or not its reader is ready for it, and to its end, even if they have hung up: the driver
     * gives a connection back only when all rows were taken.
     */
    private Flux<List<StoredEvent>> events(int shard, List<Long> places) {
        return db.sql(EVENTS)
                .bind("shard", shard)
                .bind("places", places.toArray(Long[]::new))
                .map(LargeStates::event)
                .all()
                .collectList()
                .cache()
                .flux();
    }

    private static StoredEvent event(Readable row) {
        return StoredEvent.of(RequiredColumn.of(row, "pos", Long.class), RequiredColumn.of(row, "body", String.class));
    }
}
