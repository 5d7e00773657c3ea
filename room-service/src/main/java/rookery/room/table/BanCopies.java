package rookery.room.table;

import io.r2dbc.spi.Readable;
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
import rookery.model.id.TenantId;
import rookery.model.id.TenantRoom;
import rookery.model.id.UserId;
import rookery.platform.sql.RequiredColumn;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The bans that an upgrade takes over (contract.md 8.4). There may be ten thousands of them, and a shard is never held for so many: the
 * first ones come with the upgrade, the others in portions after it. Until the last one has come, whoever is banned in the predecessor
 * counts as banned in its successor, unless somebody has said something else of them there.
 */
@Component
public class BanCopies {
    /** Bans that are copied at once. */
    public static final int PORTION = 100;

    private static final String OPEN = """
            SELECT u.tenant, u.room_id, u.predecessor, u.upgraded_by, u.bans_after, r.shard
              FROM room.upgrade u JOIN room.room r ON r.tenant = u.tenant AND r.room_id = u.room_id
             WHERE u.bans_after IS NOT NULL
             LIMIT :most
            """;

    // a reason that is longer than any sensible one is not worth its bytes ten thousand times
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

    BanCopies(DatabaseClient db) {
        this.db = db;
    }

    /**
     * Bans that are still to be copied.
     *
     * @param by who made the upgrade, and pronounces them in the successor
     * @param after up to here, in the predecessor, they were copied
     */
    public record Copy(TenantRoom successor, RoomId predecessor, int shard, UserId by, long after) {}

    /** A ban as it stands in the predecessor, with the content that it has in the successor. */
    public record Ban(UserId user, long pos, ObjectNode content) {}

    /**
     * How a copy goes on with the bans that a batch has written.
     *
     * @param upto null when these were the last ones
     */
    public record Step(long after, @Nullable Long upto) {}

    /** Some of those that are not finished. */
    public Mono<List<Copy>> open(int most) {
        return db.sql(OPEN).bind("most", most).map(BanCopies::copy).all().collectList();
    }

    /** The next ones, at most {@link #PORTION}, in the order in which they were pronounced. */
    public Mono<List<Ban>> next(Copy copy) {
        return bans(new TenantRoom(copy.successor.tenant(), copy.predecessor), copy.shard, copy.after, PORTION);
    }

    Mono<List<Ban>> bans(TenantRoom predecessor, int shard, long after, int most) {
        return db.sql(BANS)
                .bind("shard", shard)
                .bind("tenant", predecessor.tenant().value())
                .bind("room", predecessor.room().value())
                .bind("after", after)
                .bind("most", most)
                .map(BanCopies::ban)
                .all()
                .collectList();
    }

    /** Nothing if another instance has moved it meanwhile. */
    public Mono<Void> move(TenantRoom successor, Step step) {
        var sql = db.sql(MOVE)
                .bind("tenant", successor.tenant().value())
                .bind("room", successor.room().value())
                .bind("after", step.after);
        var upto = step.upto;
        return (upto == null ? sql.bindNull("upto", Long.class) : sql.bind("upto", upto)).then();
    }

    /** Who among these is banned by a ban that is still to be copied. */
    public Mono<Map<TenantRoom, List<UserId>>> banned(Collection<RoomStateKey> members) {
        if (members.isEmpty()) {
            return Mono.just(Map.of());
        }
        var rooms = members.stream().map(RoomStateKey::room).toList();
        return db.sql(BANNED)
                .bind("tenants", RoomColumns.tenants(rooms))
                .bind("rooms", RoomColumns.ids(rooms))
                .bind(
                        "users",
                        members.stream().map(member -> member.state().key()).toArray(String[]::new))
                .map(row ->
                        Map.entry(room(row, "room_id"), new UserId(RequiredColumn.of(row, "user_id", String.class))))
                .all()
                .collect(Collectors.groupingBy(
                        Map.Entry::getKey, Collectors.mapping(Map.Entry::getValue, Collectors.toList())));
    }

    private static TenantRoom room(Readable row, String column) {
        return new TenantRoom(
                new TenantId(RequiredColumn.of(row, "tenant", Integer.class)),
                new RoomId(RequiredColumn.of(row, column, String.class)));
    }

    private static Copy copy(Readable row) {
        return new Copy(
                room(row, "room_id"),
                room(row, "predecessor").room(),
                RequiredColumn.of(row, "shard", Integer.class),
                new UserId(RequiredColumn.of(row, "upgraded_by", String.class)),
                RequiredColumn.of(row, "bans_after", Long.class));
    }

    private static Ban ban(Readable row) {
        String body = row.get("body", String.class);
        long pos = RequiredColumn.of(row, "pos", Long.class);
        return new Ban(
                new UserId(RequiredColumn.of(row, "user_id", String.class)),
                pos,
                content(body == null ? null : StoredEvent.of(pos, body).content()));
    }

    /** What a ban says in the successor: what it said, without a profile that nobody wants to see there. */
    public static ObjectNode content(@Nullable ObjectNode before) {
        var content = JsonNodeFactory.instance.objectNode().put("membership", Membership.BAN.word);
        var reason = before == null ? null : before.get("reason");
        if (reason != null && reason.isString()) {
            content.set("reason", reason);
        }
        return content;
    }
}
