// SPDX-License-Identifier: Apache-2.0
package rookery.sync.filter;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.token.TokenOwner;

/** The table {@code filter}: saved filters, immutable, deleted with the user. */
@Component
public class Filters {
    private static final String FIND = """
            SELECT content FROM sync.filter
             WHERE tenant = :tenant AND user_id = :user AND filter_id = :id
            """;

    private static final String SAVE = """
            INSERT INTO sync.filter (tenant, user_id, filter_id, content, created_ms)
            SELECT :tenant, :user, :id, :content, :now
             WHERE (SELECT count(*) FROM sync.filter WHERE tenant = :tenant AND user_id = :user) < :most
            ON CONFLICT DO NOTHING
            """;

    private static final String DELETE_ALL = """
            DELETE FROM sync.filter WHERE tenant = :tenant AND user_id = :user
            """;

    private final DatabaseClient db;

    Filters(DatabaseClient db) {
        this.db = db;
    }

    /** The filter as JSON; empty for an unknown id. */
    Mono<String> find(TokenOwner owner, String id) {
        if (id.indexOf('\0') >= 0) {
            return Mono.empty(); // PostgreSQL rejects NUL in text
        }
        return db.sql(FIND)
                .bind("tenant", owner.tenant())
                .bind("user", owner.user())
                .bind("id", id)
                .mapValue(String.class)
                .one();
    }

    /** Saves the filter, unless the user has the same filter already, or has {@code most} filters. */
    Mono<Void> save(TokenOwner owner, String id, String content, int most, long nowMillis) {
        return db.sql(SAVE)
                .bind("tenant", owner.tenant())
                .bind("user", owner.user())
                .bind("id", id)
                .bind("content", content)
                .bind("most", most)
                .bind("now", nowMillis)
                .then();
    }

    /** Deletes the filters of a deactivated user. */
    public Mono<Void> deleteAll(TokenOwner owner) {
        return db.sql(DELETE_ALL)
                .bind("tenant", owner.tenant())
                .bind("user", owner.user())
                .then();
    }
}
