// SPDX-License-Identifier: Apache-2.0
package rookery.room.table;

import static rookery.room.table.RoomColumns.longs;
import static rookery.room.table.RoomColumns.texts;

import io.r2dbc.spi.Readable;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.RoomId;
import rookery.model.id.TenantRoom;
import rookery.model.id.UserId;
import rookery.platform.runtime.DueWork;
import rookery.platform.sql.RequiredColumn;
import rookery.room.table.BanCopies.Ban;
import tools.jackson.databind.node.ObjectNode;

/** The table of upgrades, and the rows of a room that an upgrade copies in large numbers. */
@Component
public class Upgrades {
    private static final String FIND = """
            SELECT room_id, upgraded_by FROM room.upgrade WHERE tenant = :tenant AND predecessor = :room
            """;

    private static final String PREDECESSOR = """
            SELECT predecessor FROM room.upgrade WHERE tenant = :tenant AND room_id = :room
            """;

    private static final String INSERT = """
            INSERT INTO room.upgrade (tenant, predecessor, room_id, upgraded_by, created_ms, bans_after)
            VALUES (:tenant, :predecessor, :room, :user, :now, :bansAfter::bigint)
            """;

    // only the first join of the successor: users who come back have their own tags and rules by then
    private static final String CARRY_OVER = """
            INSERT INTO room.carry_over (tenant, user_id, room_id, predecessor, due_ms)
            SELECT k.tenant, k.user_id, k.room_id, u.predecessor, :now
              FROM unnest(:tenants::int[], :rooms::text[], :users::text[], :positions::bigint[])
                   AS k (tenant, room_id, user_id, pos)
              JOIN room.upgrade u ON u.tenant = k.tenant AND u.room_id = k.room_id
             WHERE NOT EXISTS (SELECT 1 FROM room.member_history m
                                WHERE m.tenant = k.tenant AND m.room_id = k.room_id AND m.user_id = k.user_id
                                  AND m.membership = 'join' AND m.valid_from < k.pos)
                ON CONFLICT DO NOTHING
            """;

    private static final String CHILDREN = """
            SELECT s.state_key, l.pos, l.body
              FROM room.current_state s JOIN room.entry_body l ON l.shard = :shard AND l.pos = s.pos
             WHERE s.tenant = :tenant AND s.room_id = :room AND s.type = 'm.space.child'
             ORDER BY l.pos
            """;

    private final DatabaseClient db;
    private final BanCopies banCopies;
    private final DueWork dueCarryOvers;

    Upgrades(DatabaseClient db, BanCopies banCopies, Clock clock) {
        this.db = db;
        this.banCopies = banCopies;
        this.dueCarryOvers = new DueWork(clock);
    }

    /** A room's successor and the user who upgraded the room. */
    public record Replacement(RoomId room, UserId by) {}

    /** An upgrade; {@code bansAfter} is the position of the last ban copied with it, null if all bans were. */
    public record Row(
            TenantRoom predecessor,
            Replacement replacement,
            @Nullable Long bansAfter) {}

    public record SpaceChild(String key, ObjectNode content) {}

    /**
     * The facts of a room for its upgrade, besides single pieces of state.
     *
     * @param replacement null for a room without a successor
     * @param bans the first portion
     * @param moreBans whether further bans exist
     */
    public record UpgradeFacts(
            @Nullable Replacement replacement, List<Ban> bans, boolean moreBans, List<SpaceChild> children) {}

    /** A join of a batch, with its position. */
    public record JoinedMember(TenantRoom room, UserId user, long pos) {}

    /** The predecessor; empty for a room without a predecessor. */
    public Mono<RoomId> predecessor(TenantRoom room) {
        return bound(PREDECESSOR, room).mapValue(String.class).one().map(RoomId::new);
    }

    /** The facts of the room for its upgrade. */
    public Mono<UpgradeFacts> leaving(TenantRoom room) {
        return bound(FIND, room)
                .map(Upgrades::replacement)
                .all()
                .collectList()
                .flatMap(replacements -> banCopies
                        .bans(room, room.shard(), 0, BanCopies.PORTION + 1)
                        .zipWhen(_ -> children(room))
                        .map(read -> leaving(
                                replacements.isEmpty() ? null : replacements.getFirst(), read.getT1(), read.getT2())));
    }

    private static UpgradeFacts leaving(@Nullable Replacement replacement, List<Ban> bans, List<SpaceChild> children) {
        boolean more = bans.size() > BanCopies.PORTION;
        return new UpgradeFacts(replacement, more ? bans.subList(0, BanCopies.PORTION) : bans, more, children);
    }

    private Mono<List<SpaceChild>> children(TenantRoom room) {
        return bound(CHILDREN, room)
                .bind("shard", room.shard())
                .map(Upgrades::child)
                .all()
                .collectList();
    }

    /** Called in the transaction of the events in both rooms. */
    public Mono<Void> insert(Row row, long nowMillis) {
        var sql = db.sql(INSERT)
                .bind("tenant", row.predecessor.tenant())
                .bind("predecessor", row.predecessor.room())
                .bind("room", row.replacement.room)
                .bind("user", row.replacement.by)
                .bind("now", nowMillis);
        var bansAfter = row.bansAfter;
        return bansAfter == null
                ? sql.bindNull("bansAfter", Long.class).then()
                : sql.bind("bansAfter", bansAfter).then().then(banCopies.noteBegun());
    }

    /** Notes of the carry-overs that this process has queued. */
    public DueWork dueCarryOvers() {
        return dueCarryOvers;
    }

    /** Queues the carry-over for users who join a successor for the first time; called after their state is written. */
    public Mono<Void> carryOver(Collection<JoinedMember> joined, long nowMillis) {
        if (joined.isEmpty()) {
            return Mono.empty();
        }
        var rooms = new ArrayList<TenantRoom>();
        joined.forEach(join -> rooms.add(join.room));
        return db.sql(CARRY_OVER)
                .bind("tenants", RoomColumns.tenants(rooms))
                .bind("rooms", RoomColumns.ids(rooms))
                .bind("users", texts(joined, join -> join.user.value()))
                .bind("positions", longs(joined, join -> join.pos))
                .bind("now", nowMillis)
                .fetch()
                .rowsUpdated()
                .flatMap(rows -> rows > 0 ? dueCarryOvers.noteAtCommit(Duration.ZERO) : Mono.empty());
    }

    private DatabaseClient.GenericExecuteSpec bound(String sql, TenantRoom room) {
        return db.sql(sql).bind("tenant", room.tenant()).bind("room", room.room());
    }

    private static Replacement replacement(Readable row) {
        return new Replacement(
                RequiredColumn.of(row, "room_id", RoomId.class), RequiredColumn.of(row, "upgraded_by", UserId.class));
    }

    private static SpaceChild child(Readable row) {
        long pos = RequiredColumn.of(row, "pos", Long.class);
        return new SpaceChild(
                RequiredColumn.of(row, "state_key", String.class),
                StoredEvent.of(pos, RequiredColumn.of(row, "body", String.class))
                        .content());
    }
}
