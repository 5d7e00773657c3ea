// SPDX-License-Identifier: Apache-2.0
package rookery.directory.alias;

import io.r2dbc.spi.Readable;
import java.time.Clock;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.RoomAlias;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.TenantRoom;
import rookery.model.id.UserId;
import rookery.platform.sql.RequiredColumn;

/** The table of aliases; the primary key decides between concurrent claims of an alias. */
@Component
public class Aliases {
    private static final String FIND = """
            SELECT tenant, alias, room_id, creator, reserved_until
              FROM directory.alias
             WHERE tenant = :tenant AND alias = :alias
            """;

    private static final String OF_ROOM = """
            SELECT tenant, alias, room_id, creator, reserved_until
              FROM directory.alias
             WHERE tenant = :tenant AND room_id = :room
             ORDER BY created_at, alias
            """;

    private static final String COUNTS = """
            SELECT (SELECT count(*) FROM directory.alias WHERE tenant = :tenant AND creator = :creator) AS of_user,
                   (SELECT count(*) FROM directory.alias WHERE tenant = :tenant AND room_id = :room) AS of_room
            """;

    private static final String INSERT = """
            INSERT INTO directory.alias (tenant, alias, room_id, creator, created_at, reserved_until)
            VALUES (:tenant, :alias, :room, :creator, :now, :until)
                ON CONFLICT (tenant, alias) DO NOTHING
            """;

    /** Reserving again for the same room succeeds, so a retry after a lost answer keeps the alias. */
    private static final String RESERVE = """
            INSERT INTO directory.alias AS existing (tenant, alias, room_id, creator, created_at, reserved_until)
            VALUES (:tenant, :alias, :room, :creator, :now, :until)
                ON CONFLICT (tenant, alias) DO UPDATE SET reserved_until = excluded.reserved_until
             WHERE existing.room_id = excluded.room_id AND existing.reserved_until IS NOT NULL
            """;

    /** Compares with the reservation that was read: of two concurrent replacements, one updates no row. */
    private static final String REPLACE = """
            UPDATE directory.alias
               SET room_id = :room, creator = :creator, created_at = :now, reserved_until = :until
             WHERE tenant = :tenant AND alias = :alias AND room_id = :oldRoom AND reserved_until = :oldUntil
            """;

    private static final String RELEASE = """
            DELETE FROM directory.alias
             WHERE tenant = :tenant AND alias = :alias AND room_id = :room AND reserved_until IS NOT NULL
            """;

    private static final String DELETE = """
            DELETE FROM directory.alias
             WHERE tenant = :tenant AND alias = :alias AND room_id = :room AND reserved_until IS NULL
            """;

    /** The rooms may belong to different tenants, because a batch of the room log contains all tenants. */
    private static final String CONFIRM = """
            UPDATE directory.alias SET reserved_until = NULL
             WHERE reserved_until IS NOT NULL
               AND (tenant, room_id) IN (SELECT * FROM unnest(:tenants::int[], :rooms::text[]))
            """;

    /** The successor exists, so the update also confirms aliases that were only reserved for the predecessor. */
    private static final String MOVE = """
            UPDATE directory.alias SET room_id = :to, reserved_until = NULL WHERE tenant = :tenant AND room_id = :from
            """;

    private static final String FORGET = """
            DELETE FROM directory.alias WHERE tenant = :tenant AND room_id = :room
            """;

    private static final String DOUBT_ALL = """
            UPDATE directory.alias SET reserved_until = :now WHERE reserved_until IS NULL
            """;

    private static final String ABANDONED = """
            SELECT tenant, alias, room_id, creator, reserved_until
              FROM directory.alias
             WHERE reserved_until < :before
             ORDER BY reserved_until
             LIMIT 100
            """;

    private final DatabaseClient db;
    private final Clock clock;

    Aliases(DatabaseClient db, Clock clock) {
        this.db = db;
        this.clock = clock;
    }

    Mono<Alias> find(TenantId tenant, RoomAlias name) {
        return named(FIND, tenant, name).map(Aliases::alias).one();
    }

    Mono<List<Alias>> ofRoom(TenantId tenant, RoomId room) {
        return db.sql(OF_ROOM)
                .bind("tenant", tenant)
                .bind("room", room)
                .map(Aliases::alias)
                .all()
                .collectList();
    }

    /** Numbers of aliases that a user has created and that a room has. */
    record Counts(long ofUser, long ofRoom) {}

    Mono<Counts> counts(TenantId tenant, UserId creator, RoomId room) {
        return db.sql(COUNTS)
                .bind("tenant", tenant)
                .bind("creator", creator)
                .bind("room", room)
                .map(row -> new Counts(
                        RequiredColumn.of(row, "of_user", Long.class), RequiredColumn.of(row, "of_room", Long.class)))
                .one();
    }

    /** False if the alias is taken; the existing row stays unchanged. */
    Mono<Boolean> insert(Alias alias) {
        return changed(write(INSERT, alias));
    }

    /** True if the alias was free or reserved for the same room. */
    Mono<Boolean> reserve(Alias alias) {
        return changed(write(RESERVE, alias));
    }

    /** False if the old reservation has changed in the meantime. */
    Mono<Boolean> replace(Alias old, Alias alias) {
        return changed(write(REPLACE, alias)
                .bind("oldRoom", old.room())
                .bind("oldUntil", Objects.requireNonNull(old.reservedUntil())));
    }

    /** Deletes a reservation; a confirmed alias stays. */
    Mono<Boolean> release(TenantId tenant, RoomAlias name, RoomId room) {
        return changed(named(RELEASE, tenant, name).bind("room", room));
    }

    /** False if the alias no longer led to this room. */
    Mono<Boolean> delete(TenantId tenant, RoomAlias name, RoomId room) {
        return changed(named(DELETE, tenant, name).bind("room", room));
    }

    /** Confirms the reserved aliases of existing rooms. */
    public Mono<Void> confirm(Collection<TenantRoom> rooms) {
        if (rooms.isEmpty()) {
            return Mono.empty();
        }
        return db.sql(CONFIRM)
                .bind("tenants", rooms.stream().map(key -> key.tenant().value()).toArray(Integer[]::new))
                .bind("rooms", rooms.stream().map(key -> key.room().value()).toArray(String[]::new))
                .then();
    }

    /** Moves the aliases of a room to its successor. */
    public Mono<Void> move(TenantId tenant, RoomId from, RoomId to) {
        return db.sql(MOVE)
                .bind("tenant", tenant)
                .bind("from", from)
                .bind("to", to)
                .then();
    }

    /** Deletes the aliases of a purged room. */
    public Mono<Void> forget(TenantRoom room) {
        return db.sql(FORGET)
                .bind("tenant", room.tenant())
                .bind("room", room.room())
                .then();
    }

    /** Marks all aliases as unconfirmed after the log was restored: the room log or room-service must confirm each room again. */
    public Mono<Void> doubtAll() {
        return db.sql(DOUBT_ALL).bind("now", clock.instant()).then();
    }

    /** At most 100 reservations that ended before this time, the oldest first. */
    Mono<List<Alias>> abandoned(Instant before) {
        return db.sql(ABANDONED)
                .bind("before", before)
                .map(Aliases::alias)
                .all()
                .collectList();
    }

    private GenericExecuteSpec named(String sql, TenantId tenant, RoomAlias name) {
        return db.sql(sql).bind("tenant", tenant).bind("alias", name);
    }

    private GenericExecuteSpec write(String sql, Alias alias) {
        var statement = named(sql, alias.tenant(), alias.name())
                .bind("room", alias.room())
                .bind("creator", alias.creator())
                .bind("now", clock.instant());
        var until = alias.reservedUntil();
        return until == null ? statement.bindNull("until", Instant.class) : statement.bind("until", until);
    }

    private static Mono<Boolean> changed(GenericExecuteSpec statement) {
        return statement.fetch().rowsUpdated().map(rows -> rows == 1);
    }

    private static Alias alias(Readable row) {
        return new Alias(
                RequiredColumn.of(row, "tenant", TenantId.class),
                RequiredColumn.of(row, "alias", RoomAlias.class),
                RequiredColumn.of(row, "room_id", RoomId.class),
                RequiredColumn.of(row, "creator", UserId.class),
                row.get("reserved_until", Instant.class));
    }
}
