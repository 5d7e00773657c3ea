// SPDX-License-Identifier: Apache-2.0
package rookery.room.table;

import static rookery.room.table.RoomColumns.texts;

import io.r2dbc.spi.Readable;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.event.Membership;
import rookery.model.id.RoomId;
import rookery.model.id.TenantRoom;
import rookery.model.id.UserId;
import rookery.platform.runtime.DueWork;
import rookery.platform.sql.RequiredColumn;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The bans that an upgrade copies (contract.md 8.4). A room may have ten thousand bans, too many for one lock on the
 * shard: the first portion is in the upgrade's batch, further portions follow. Until the last portion, a ban in the
 * predecessor counts in the successor, unless the successor has a member event for the user.
 */
@Component
public class BanCopies {
    public static final int PORTION = 100;

    private static final String OPEN = """
            SELECT u.tenant, u.room_id, u.predecessor, u.upgraded_by, u.bans_after, r.shard
              FROM room.upgrade u JOIN room.room r ON r.tenant = u.tenant AND r.room_id = u.room_id
             WHERE u.bans_after IS NOT NULL
             LIMIT :most
            """;

    // bodies of 8 kB and more are left out: extreme reasons would be copied ten thousand times
    private static final String BANS = """
            SELECT m.user_id, l.pos, CASE WHEN octet_length(l.body) < 8192 THEN l.body END AS body
              FROM room.current_member m JOIN room.entry_body l ON l.shard = :shard AND l.pos = m.pos
             WHERE m.tenant = :tenant AND m.room_id = :room AND m.membership = 'ban' AND m.pos > :after
             ORDER BY l.pos
             LIMIT :most
            """;

    private static final String MOVE = """
            UPDATE room.upgrade SET bans_after = :upto::bigint
             WHERE tenant = :tenant AND room_id = :room AND bans_after = :after
            """;

    private static final String BANNED = """
            SELECT u.tenant, u.room_id, m.user_id
              FROM unnest(:tenants::int[], :rooms::text[], :users::text[]) AS k (tenant, room_id, user_id)
              JOIN room.upgrade u ON u.tenant = k.tenant AND u.room_id = k.room_id AND u.bans_after IS NOT NULL
              JOIN room.current_member m ON m.tenant = u.tenant AND m.room_id = u.predecessor AND m.user_id = k.user_id
             WHERE m.membership = 'ban'
            """;

    private final DatabaseClient db;
    private final DueWork begun;

    BanCopies(DatabaseClient db, Clock clock) {
        this.db = db;
        this.begun = new DueWork(clock);
    }

    /**
     * An upgrade with bans left to copy.
     *
     * @param by the user who upgraded the room, and sender of the copies
     * @param after the position in the predecessor up to which bans are copied
     */
    public record BanCopy(TenantRoom successor, RoomId predecessor, int shard, UserId by, long after) {}

    /** A ban of the predecessor, with the content for the successor. */
    public record Ban(UserId user, long pos, ObjectNode content) {}

    /**
     * The progress of a copy by the bans of a batch.
     *
     * @param upto null after the last ban
     */
    public record Step(long after, @Nullable Long upto) {}

    /** To be called in the transaction of an upgrade that leaves bans to copy. */
    Mono<Void> noteBegun() {
        return begun.noteAtCommit(Duration.ZERO);
    }

    /** Unfinished copies, at most {@code most}; a copy of another process appears within 10 s. */
    public Mono<List<BanCopy>> open(int most) {
        return begun.look(
                        most,
                        db.sql(OPEN)
                                .bind("most", most)
                                .map(BanCopies::copy)
                                .all()
                                .collectList())
                .doOnNext(open -> {
                    if (!open.isEmpty()) {
                        begun.note(); // until the last portion
                    }
                });
    }

    /** The next bans, at most {@link #PORTION}, oldest first. */
    public Mono<List<Ban>> next(BanCopy copy) {
        return bans(new TenantRoom(copy.successor.tenant(), copy.predecessor), copy.shard, copy.after, PORTION);
    }

    Mono<List<Ban>> bans(TenantRoom predecessor, int shard, long after, int most) {
        return db.sql(BANS)
                .bind("shard", shard)
                .bind("tenant", predecessor.tenant())
                .bind("room", predecessor.room())
                .bind("after", after)
                .bind("most", most)
                .map(BanCopies::ban)
                .all()
                .collectList();
    }

    /** Records the progress; no effect if another instance was faster. */
    public Mono<Void> move(TenantRoom successor, Step step) {
        var sql = db.sql(MOVE)
                .bind("tenant", successor.tenant())
                .bind("room", successor.room())
                .bind("after", step.after);
        var upto = step.upto;
        return (upto == null ? sql.bindNull("upto", Long.class) : sql.bind("upto", upto)).then();
    }

    /** The users among the members whose bans are still to be copied. */
    public Mono<Map<TenantRoom, List<UserId>>> banned(Collection<RoomStateKey> members) {
        if (members.isEmpty()) {
            return Mono.just(Map.of());
        }
        var rooms = members.stream().map(RoomStateKey::room).toList();
        return db.sql(BANNED)
                .bind("tenants", RoomColumns.tenants(rooms))
                .bind("rooms", RoomColumns.ids(rooms))
                .bind("users", texts(members, member -> member.state().key()))
                .map(row -> Map.entry(RoomColumns.room(row), RequiredColumn.of(row, "user_id", UserId.class)))
                .all()
                .collect(Collectors.groupingBy(
                        Map.Entry::getKey, Collectors.mapping(Map.Entry::getValue, Collectors.toList())));
    }

    private static BanCopy copy(Readable row) {
        return new BanCopy(
                RoomColumns.room(row),
                RequiredColumn.of(row, "predecessor", RoomId.class),
                RequiredColumn.of(row, "shard", Integer.class),
                RequiredColumn.of(row, "upgraded_by", UserId.class),
                RequiredColumn.of(row, "bans_after", Long.class));
    }

    private static Ban ban(Readable row) {
        String body = row.get("body", String.class);
        long pos = RequiredColumn.of(row, "pos", Long.class);
        return new Ban(
                RequiredColumn.of(row, "user_id", UserId.class),
                pos,
                content(body == null ? null : StoredEvent.of(pos, body).content()));
    }

    /** The content of a ban in the successor: the reason, without the profile. */
    public static ObjectNode content(@Nullable ObjectNode before) {
        var content = JsonNodeFactory.instance.objectNode().put("membership", Membership.BAN.word);
        var reason = before == null ? null : before.get("reason");
        if (reason != null && reason.isString()) {
            content.set("reason", reason);
        }
        return content;
    }
}
