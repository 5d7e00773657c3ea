// SPDX-License-Identifier: Apache-2.0
package rookery.push.count;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantUser;
import rookery.platform.sql.Portions;
import rookery.push.Columns;

/** The table of ignored users. Only the current list counts: events of an ignored user count nothing, whenever they were sent. */
@Component
class IgnoredUsers {
    private static final String DELETE = """
            DELETE FROM push.ignored i USING unnest(:tenants::int[], :users::text[]) AS k (tenant, user_id)
             WHERE i.tenant = k.tenant AND i.user_id = k.user_id
            """;

    private static final String INSERT = """
            INSERT INTO push.ignored (tenant, user_id, ignored)
            SELECT * FROM unnest(:tenants::int[], :users::text[], :ignored::text[])
            """;

    private static final String DROP = "DELETE FROM push.ignored";

    private final DatabaseClient db;

    IgnoredUsers(DatabaseClient db) {
        this.db = db;
    }

    private record IgnoredUser(TenantUser owner, String ignored) {}

    /** Replaces the users' lists. */
    Mono<Void> set(Map<TenantUser, Set<String>> lists) {
        if (lists.isEmpty()) {
            return Mono.empty();
        }
        var rows = new ArrayList<IgnoredUser>();
        lists.forEach((owner, ignored) -> ignored.forEach(user -> rows.add(new IgnoredUser(owner, user))));
        return delete(lists.keySet()).then(Portions.each(rows, this::insert));
    }

    private Mono<Void> insert(List<IgnoredUser> rows) {
        return Columns.of(db.sql(INSERT), rows)
                .users(IgnoredUser::owner)
                .texts("ignored", IgnoredUser::ignored)
                .then();
    }

    Mono<Void> delete(Collection<TenantUser> users) {
        return Columns.of(db.sql(DELETE), users).users(user -> user).then();
    }

    Mono<Void> drop() {
        return db.sql(DROP).then();
    }
}
