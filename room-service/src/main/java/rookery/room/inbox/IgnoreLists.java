// SPDX-License-Identifier: Apache-2.0
package rookery.room.inbox;

import io.r2dbc.spi.Readable;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.Shards;
import rookery.model.id.TenantUser;
import rookery.model.topic.Topics;
import rookery.platform.sql.RequiredColumn;

/** The copy of users' ignore lists, from the user log. */
@Component
class IgnoreLists {
    private static final String FIND = """
            SELECT f.epoch, f.pos,
                   ARRAY(SELECT i.ignored FROM room.ignored i WHERE i.tenant = :tenant AND i.user_id = :user) AS ignored
              FROM room.follow f
             WHERE f.log = :log AND f.shard = :shard
            """;

    private static final String CLEAR = """
            DELETE FROM room.ignored WHERE tenant = :tenant AND user_id = :user
            """;

    private static final String ADD = """
            INSERT INTO room.ignored (tenant, user_id, ignored)
            SELECT :tenant, :user, ignored FROM unnest(:ignored::text[]) AS k (ignored)
                ON CONFLICT DO NOTHING
            """;

    private static final String DROP = """
            DELETE FROM room.ignored
            """;

    private final DatabaseClient db;

    IgnoreLists(DatabaseClient db) {
        this.db = db;
    }

    /** The ignored user ids as of a position of the user log. */
    record AsOf(long epoch, long pos, Set<String> ignored) {}

    Mono<AsOf> find(TenantUser user) {
        return db.sql(FIND)
                .bind("tenant", user.tenant())
                .bind("user", user.user())
                .bind("log", Topics.USER_LOG)
                .bind("shard", Shards.of(user.user()))
                .map(IgnoreLists::asOf)
                .one()
                .single();
    }

    Mono<Void> set(TenantUser user, Collection<String> ignored) {
        var cleared = db.sql(CLEAR)
                .bind("tenant", user.tenant())
                .bind("user", user.user())
                .then();
        return ignored.isEmpty() ? cleared : cleared.then(add(user, ignored));
    }

    private Mono<Void> add(TenantUser user, Collection<String> ignored) {
        return db.sql(ADD)
                .bind("tenant", user.tenant())
                .bind("user", user.user())
                .bind("ignored", ignored.toArray(String[]::new))
                .then();
    }

    /** Deletes the copies of all tenants before the log is followed from its beginning again. */
    Mono<Void> drop() {
        return db.sql(DROP).then();
    }

    private static AsOf asOf(Readable row) {
        return new AsOf(
                RequiredColumn.of(row, "epoch", Long.class),
                RequiredColumn.of(row, "pos", Long.class),
                Set.copyOf(List.of(RequiredColumn.of(row, "ignored", String[].class))));
    }
}
