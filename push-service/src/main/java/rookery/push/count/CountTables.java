// SPDX-License-Identifier: Apache-2.0
package rookery.push.count;

import java.util.Collection;
import java.util.List;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantUser;
import rookery.push.Columns;
import rookery.push.RoomUser;

/** Deletes rows from several tables that are derived from the room log. */
@Component
class CountTables {
    /** The tables with rows about one user in one room, besides the membership itself. */
    private static final List<String> OF_MEMBERS = List.of("push.read_position", "push.member_past", "push.exception");

    private static final List<String> ALL = List.of(
            "push.member",
            "push.room_cohort",
            "push.member_past",
            "push.noted",
            "push.thread_head",
            "push.exception",
            "push.read_position",
            "push.room",
            "push.deferred_event"); // the log has these events again

    private static final String DELETE_OF_MEMBERS = """
            DELETE FROM TABLE t
             USING unnest(:tenants::int[], :rooms::text[], :users::text[]) AS k (tenant, room_id, user_id)
             WHERE t.tenant = k.tenant AND t.user_id = k.user_id AND t.room_id = k.room_id
            """;

    private static final String DELETE_OF_USERS = """
            DELETE FROM TABLE t
             USING unnest(:tenants::int[], :users::text[]) AS k (tenant, user_id)
             WHERE t.tenant = k.tenant AND t.user_id = k.user_id
            """;

    private final DatabaseClient db;

    CountTables(DatabaseClient db) {
        this.db = db;
    }

    Mono<Void> deleteOfMembers(Collection<RoomUser> users) {
        return Flux.fromIterable(OF_MEMBERS)
                .concatMap(table -> Columns.of(db.sql(DELETE_OF_MEMBERS.replace("TABLE", table)), users)
                        .roomUsers(user -> user)
                        .then())
                .then();
    }

    Mono<Void> deleteOfUsers(Collection<TenantUser> users) {
        return Flux.fromIterable(OF_MEMBERS)
                .concatMap(table -> Columns.of(db.sql(DELETE_OF_USERS.replace("TABLE", table)), users)
                        .users(user -> user)
                        .then())
                .then();
    }

    /** Deletes the rows of all tenants. */
    Mono<Void> drop() {
        return Flux.fromIterable(ALL)
                .concatMap(table -> db.sql("DELETE FROM " + table).then())
                .then();
    }
}
