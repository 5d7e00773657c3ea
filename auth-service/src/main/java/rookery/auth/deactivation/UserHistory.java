// SPDX-License-Identifier: Apache-2.0
package rookery.auth.deactivation;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.Shards;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;

/**
 * Erases the account data of a deactivated user, and the entries of the user log with former account data and profiles. The last
 * entry with a profile stays: the erasure wrote that entry, and followers need the empty profile. Positions without entries are
 * normal, as after the purge of a room.
 */
@Component
class UserHistory {
    private static final String DELETE_DATA = """
            DELETE FROM auth.account_data WHERE tenant = :tenant AND user_id = :user
            """;

    /** No index of the log has the user: reads a range of the user's shard, and returns the end of the range, null at the end. */
    private static final String DELETE_RANGE = """
            WITH part AS (SELECT pos FROM auth.log_entry WHERE shard = :shard AND pos > :after ORDER BY pos LIMIT 10000),
                 gone AS (
                 DELETE FROM auth.log_entry
                  WHERE shard = :shard AND pos > :after AND pos <= (SELECT max(pos) FROM part)
                    AND tenant = :tenant AND subject = :user
                    AND (kind = 'account_data'
                         OR (kind = 'profile'
                             AND pos < (SELECT v.pos FROM auth.profile_version v WHERE v.tenant = :tenant AND v.user_id = :user))))
            SELECT max(pos) AS last FROM part HAVING count(*) > 0
            """;

    private final DatabaseClient db;

    UserHistory(DatabaseClient db) {
        this.db = db;
    }

    /** Repeatable: nothing is written for the user any more. */
    Mono<Void> erase(TenantId tenant, UserId user) {
        return db.sql(DELETE_DATA)
                .bind("tenant", tenant)
                .bind("user", user)
                .then()
                .then(Mono.defer(() -> erased(tenant, user, 0))
                        .expand(last -> erased(tenant, user, last))
                        .then());
    }

    /** The end of the range; empty behind the last entry. */
    private Mono<Long> erased(TenantId tenant, UserId user, long after) {
        return db.sql(DELETE_RANGE)
                .bind("tenant", tenant)
                .bind("user", user)
                .bind("shard", Shards.of(user))
                .bind("after", after)
                .mapValue(Long.class)
                .one();
    }
}
