// SPDX-License-Identifier: Apache-2.0
package rookery.room.administration;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.r2dbc.spi.Readable;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.event.Membership;
import rookery.model.id.TenantRoom;
import rookery.model.id.UserId;
import rookery.platform.sql.RequiredColumn;
import rookery.room.authorization.PowerLevels;
import rookery.room.table.StoredEvent;

/** The members of a room in pages, for administrators (contract.md 5.2). */
@Component
class MemberList {
    private static final String COUNT = """
            SELECT count(*) FROM room.current_member WHERE tenant = :tenant AND room_id = :room MATCHING
            """;

    /**
     * Chooses the users of the page first, from the primary key of the state. A change of a profile is a member event too, so the
     * membership began with the first event after the last one of another membership.
     */
    private static final String PAGE = """
            SELECT m.user_id, m.membership, l.body, CASE WHEN b.pos <> m.pos THEN f.body END AS first
              FROM (SELECT user_id, pos, membership FROM room.current_member
                     WHERE tenant = :tenant AND room_id = :room AND user_id > :after MATCHING
                     ORDER BY user_id LIMIT :limit) AS m
             CROSS JOIN LATERAL (
                SELECT min(h.valid_from) AS pos FROM room.member_history h
                 WHERE h.tenant = :tenant AND h.room_id = :room AND h.user_id = m.user_id
                   AND h.valid_from > coalesce((SELECT max(o.valid_from) FROM room.member_history o
                                                 WHERE o.tenant = :tenant AND o.room_id = :room AND o.user_id = m.user_id
                                                   AND o.membership <> m.membership), -1)) AS b
              JOIN room.entry_body l ON l.shard = :shard AND l.pos = m.pos
              JOIN room.entry_body f ON f.shard = :shard AND f.pos = b.pos
             ORDER BY m.user_id
            """;

    private final DatabaseClient db;

    MemberList(DatabaseClient db) {
        this.db = db;
    }

    /** The users with this membership; null for all users that the room's state names. */
    record Members(TenantRoom room, int shard, @Nullable Membership membership) {}

    Mono<Long> count(Members members) {
        return bound(COUNT, members).mapValue(Long.class).one();
    }

    /** The members behind a user id, ordered by user id. */
    Mono<List<ListedMember>> after(Members members, PowerLevels power, String user, int limit) {
        return bound(PAGE, members)
                .bind("shard", members.shard)
                .bind("after", user)
                .bind("limit", limit)
                .map(row -> member(row, power))
                .all()
                .collectList();
    }

    private GenericExecuteSpec bound(String sql, Members members) {
        var membership = members.membership;
        var query = db.sql(sql.replace("MATCHING", membership == null ? "" : "AND membership = :membership"))
                .bind("tenant", members.room.tenant())
                .bind("room", members.room.room());
        return membership == null ? query : query.bind("membership", membership.word);
    }

    private static ListedMember member(Readable row, PowerLevels power) {
        var user = new UserId(RequiredColumn.of(row, "user_id", String.class));
        var event = StoredEvent.of(0, RequiredColumn.of(row, "body", String.class));
        var first = row.get("first", String.class);
        boolean isCreator = power.unbounded().contains(user);
        return new ListedMember(
                user,
                event.content().path("displayname").stringValue(null),
                RequiredColumn.of(row, "membership", String.class),
                isCreator ? null : power.of(user),
                isCreator,
                (first == null ? event : StoredEvent.of(0, first))
                        .event()
                        .meta()
                        .ts());
    }

    /**
     * A member.
     *
     * @param powerLevel null for a creator whose power no number limits
     * @param creator whether the user is such a creator, from room version 12 on
     * @param sinceMillis since when the user has had this membership
     */
    record ListedMember(
            @JsonProperty("user_id") UserId user,
            @JsonProperty("display_name") @Nullable String displayName,
            String membership,
            @JsonProperty("power_level") @Nullable Long powerLevel,
            boolean creator,
            @JsonProperty("since_ts") long sinceMillis) {
        /** The next page begins after this key. */
        String key() {
            return user.value();
        }
    }
}
