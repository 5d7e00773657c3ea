// SPDX-License-Identifier: Apache-2.0
package rookery.push.count;

import io.r2dbc.spi.Readable;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.TenantRoom;
import rookery.model.id.TenantUser;
import rookery.model.id.UserId;
import rookery.platform.sql.Portions;
import rookery.platform.sql.RequiredColumn;
import rookery.push.Columns;
import rookery.push.RoomUser;

/** The table of joined members with their cohorts. */
@Component
class Members {
    private static final String COLUMNS = """
            m.tenant, m.room_id, m.user_id, m.shard, m.joined_pos, m.display_name, m.cohort, m.cohort_from, m.always, m.pushers
            """;

    private static final String FIND = "SELECT " + COLUMNS + """
              FROM unnest(:tenants::int[], :rooms::text[], :users::text[]) AS k (tenant, room_id, user_id)
              JOIN push.member m ON m.tenant = k.tenant AND m.room_id = k.room_id AND m.user_id = k.user_id
            """;

    private static final String OF_USERS = "SELECT " + COLUMNS + """
              FROM unnest(:tenants::int[], :users::text[]) AS k (tenant, user_id)
              JOIN push.member m ON m.tenant = k.tenant AND m.user_id = k.user_id
            """;

    private static final String UNLIKE_DEFAULT = "SELECT " + COLUMNS + """
              FROM push.member m WHERE m.cohort <> 0 OR m.always
            """;

    private static final String INSERT = """
            INSERT INTO push.member
                   (tenant, room_id, user_id, shard, joined_pos, display_name, cohort, cohort_from, always, pushers)
            SELECT * FROM unnest(:tenants::int[], :rooms::text[], :users::text[], :shards::int[], :joined::bigint[],
                                 :names::text[], :cohorts::bigint[], :froms::bigint[], :always::bool[], :pushers::bool[])
            """;

    private static final String RENAME = """
            UPDATE push.member m SET display_name = k.display_name
              FROM unnest(:tenants::int[], :rooms::text[], :users::text[], :names::text[])
                   AS k (tenant, room_id, user_id, display_name)
             WHERE m.tenant = k.tenant AND m.room_id = k.room_id AND m.user_id = k.user_id
            """;

    private static final String MOVE = """
            UPDATE push.member m SET cohort = k.cohort, cohort_from = k.cohort_from, always = k.always
              FROM unnest(:tenants::int[], :rooms::text[], :users::text[], :cohorts::bigint[], :froms::bigint[], :always::bool[])
                   AS k (tenant, room_id, user_id, cohort, cohort_from, always)
             WHERE m.tenant = k.tenant AND m.room_id = k.room_id AND m.user_id = k.user_id
            """;

    private static final String DELETE = """
            DELETE FROM push.member m
             USING unnest(:tenants::int[], :rooms::text[], :users::text[]) AS k (tenant, room_id, user_id)
             WHERE m.tenant = k.tenant AND m.room_id = k.room_id AND m.user_id = k.user_id
            """;

    private final DatabaseClient db;

    Members(DatabaseClient db) {
        this.db = db;
    }

    /** A row of this table. */
    record Member(
            RoomUser user,
            int shard,
            long joinedPos,
            @Nullable String displayName,
            long cohort,
            long cohortFrom,
            boolean always,
            boolean pushers) {
        RoomCohorts.RoomCohort cohortKey() {
            return new RoomCohorts.RoomCohort(user.room(), cohort);
        }

        Member named(@Nullable String name) {
            return new Member(user, shard, joinedPos, name, cohort, cohortFrom, always, pushers);
        }

        Member in(long otherCohort, long from, boolean isAlways) {
            return new Member(user, shard, joinedPos, displayName, otherCohort, from, isAlways, pushers);
        }
    }

    Mono<List<Member>> find(Collection<RoomUser> users) {
        return Columns.of(db.sql(FIND), users)
                .roomUsers(user -> user)
                .statement()
                .map(Members::row)
                .all()
                .collectList();
    }

    Mono<List<Member>> of(Collection<TenantUser> users) {
        return Columns.of(db.sql(OF_USERS), users)
                .users(user -> user)
                .statement()
                .map(Members::row)
                .all()
                .collectList();
    }

    /** All members whose rules differ from the default rules. */
    Mono<List<Member>> unlikeDefault() {
        return db.sql(UNLIKE_DEFAULT).map(Members::row).all().collectList();
    }

    Mono<Void> insert(List<Member> members) {
        return Portions.each(
                members,
                portion -> Columns.of(db.sql(INSERT), portion)
                        .roomUsers(Member::user)
                        .ints("shards", Member::shard)
                        .longs("joined", Member::joinedPos)
                        .texts("names", Member::displayName)
                        .longs("cohorts", Member::cohort)
                        .longs("froms", Member::cohortFrom)
                        .flags("always", Member::always)
                        .flags("pushers", Member::pushers)
                        .then());
    }

    Mono<Void> rename(List<Member> members) {
        return Portions.each(
                members,
                portion -> Columns.of(db.sql(RENAME), portion)
                        .roomUsers(Member::user)
                        .texts("names", Member::displayName)
                        .then());
    }

    /** Moves members to other cohorts. */
    Mono<Void> move(List<Member> members) {
        return Portions.each(
                members,
                portion -> Columns.of(db.sql(MOVE), portion)
                        .roomUsers(Member::user)
                        .longs("cohorts", Member::cohort)
                        .longs("froms", Member::cohortFrom)
                        .flags("always", Member::always)
                        .then());
    }

    Mono<Void> delete(List<RoomUser> users) {
        return Portions.each(
                users,
                portion -> Columns.of(db.sql(DELETE), portion)
                        .roomUsers(user -> user)
                        .then());
    }

    static TenantRoom room(Readable row) {
        return new TenantRoom(
                RequiredColumn.of(row, "tenant", TenantId.class), RequiredColumn.of(row, "room_id", RoomId.class));
    }

    static RoomUser roomUser(Readable row) {
        return new RoomUser(room(row), RequiredColumn.of(row, "user_id", UserId.class));
    }

    private static Member row(Readable row) {
        return new Member(
                roomUser(row),
                RequiredColumn.of(row, "shard", Integer.class),
                RequiredColumn.of(row, "joined_pos", Long.class),
                row.get("display_name", String.class),
                RequiredColumn.of(row, "cohort", Long.class),
                RequiredColumn.of(row, "cohort_from", Long.class),
                RequiredColumn.of(row, "always", Boolean.class),
                RequiredColumn.of(row, "pushers", Boolean.class));
    }
}
