// SPDX-License-Identifier: Apache-2.0
package rookery.push.count;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.r2dbc.spi.Readable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantId;
import rookery.model.id.TenantUser;
import rookery.model.id.UserId;
import rookery.platform.push.OwnRules;
import rookery.platform.sql.Portions;
import rookery.platform.sql.RequiredColumn;
import rookery.push.Columns;
import rookery.push.userrule.RulesText;

/** The table of users' push rules, and of whether a user has pushers. */
@Component
class Readers {
    private static final String FIND = """
            SELECT r.tenant, r.user_id, r.rules_epoch, r.rules_pos, r.pushers
              FROM unnest(:tenants::int[], :users::text[]) AS k (tenant, user_id)
              JOIN push.reader r ON r.tenant = k.tenant AND r.user_id = k.user_id
            """;

    private static final String RULES = """
            SELECT r.tenant, r.user_id, r.rules_epoch, r.rules_pos, r.rules
              FROM unnest(:tenants::int[], :users::text[]) AS k (tenant, user_id)
              JOIN push.reader r ON r.tenant = k.tenant AND r.user_id = k.user_id
            """;

    private static final String SET_RULES = """
            INSERT INTO push.reader (tenant, user_id, rules, rules_epoch, rules_pos)
            SELECT * FROM unnest(:tenants::int[], :users::text[], :rules::text[], :epochs::bigint[], :positions::bigint[])
                ON CONFLICT (tenant, user_id) DO UPDATE
               SET rules = excluded.rules, rules_epoch = excluded.rules_epoch, rules_pos = excluded.rules_pos
            """;

    private static final String SET_PUSHERS = """
            WITH reader AS (
                INSERT INTO push.reader (tenant, user_id, pushers) VALUES (:tenant, :user, :pushers)
                    ON CONFLICT (tenant, user_id) DO UPDATE SET pushers = excluded.pushers)
            UPDATE push.member SET pushers = :pushers WHERE tenant = :tenant AND user_id = :user AND pushers <> :pushers
            """;

    private static final String DELETE_TERMS = """
            DELETE FROM push.rule_term t USING unnest(:tenants::int[], :users::text[]) AS k (tenant, user_id)
             WHERE t.tenant = k.tenant AND t.user_id = k.user_id
            """;

    private static final String ADD_TERMS = """
            INSERT INTO push.rule_term (tenant, user_id, term)
            SELECT * FROM unnest(:tenants::int[], :users::text[], :terms::bigint[])
            """;

    private static final String DELETE = """
            DELETE FROM push.reader r USING unnest(:tenants::int[], :users::text[]) AS k (tenant, user_id)
             WHERE r.tenant = k.tenant AND r.user_id = k.user_id
            """;

    private static final String DROP_RULES = """
            UPDATE push.reader SET rules = NULL, rules_epoch = 0, rules_pos = 0
            """;

    private static final String DROP_TERMS = "DELETE FROM push.rule_term";

    private static final int SHARE_OF_HEAP = 4;
    /** About the length of a content with the default rules only. */
    private static final int DEFAULT_CHARACTERS = 6_000;

    private final DatabaseClient db;
    private final Cache<RulesVersion, ParsedRules> kept = Caffeine.newBuilder()
            .maximumWeight(Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP)
            .<RulesVersion, ParsedRules>weigher((_, parsed) -> parsed.bytes)
            .build();

    Readers(DatabaseClient db) {
        this.db = db;
    }

    /** A user's rules, and whether the user has pushers. */
    record ReaderRules(OwnRules rules, boolean pushers) {}

    /** The version of a user's rules by their position in the user log; position 0 for unchanged rules. */
    record RulesVersion(TenantUser owner, long epoch, long pos) {}

    /** Rules to store; {@code content} is that of {@code m.push_rules}. */
    record NewRules(RulesVersion version, String content, OwnRules rules) {}

    private record ParsedRules(OwnRules rules, int bytes) {}

    private record ReaderRow(RulesVersion version, boolean pushers) {}

    private record Term(TenantUser owner, long term) {}

    /** The rules of all given users; users without stored rules have the default rules. */
    Mono<Map<TenantUser, ReaderRules>> find(Collection<TenantUser> users) {
        if (users.isEmpty()) {
            return Mono.just(Map.of());
        }
        return Columns.of(db.sql(FIND), users)
                .users(user -> user)
                .statement()
                .map(row -> new ReaderRow(version(row), RequiredColumn.of(row, "pushers", Boolean.class)))
                .all()
                .collectList()
                .flatMap(rows -> withRules(users, rows));
    }

    private Mono<Map<TenantUser, ReaderRules>> withRules(Collection<TenantUser> users, List<ReaderRow> rows) {
        var byUser = new HashMap<TenantUser, ReaderRow>();
        users.forEach(user -> byUser.put(user, new ReaderRow(new RulesVersion(user, 0, 0), false)));
        rows.forEach(row -> byUser.put(row.version.owner, row));
        var parsed = new HashMap<TenantUser, OwnRules>();
        var unread = new ArrayList<TenantUser>();
        byUser.forEach((user, row) -> {
            var rules = row.version.pos == 0 ? keep(row.version, "") : kept.getIfPresent(row.version);
            if (rules == null) {
                unread.add(user);
            } else {
                parsed.put(user, rules.rules);
            }
        });
        return (unread.isEmpty() ? Mono.just(parsed) : read(unread, parsed)).map(all -> withRules(byUser, all));
    }

    private static Map<TenantUser, ReaderRules> withRules(
            Map<TenantUser, ReaderRow> rows, Map<TenantUser, OwnRules> rules) {
        var readerRules = new HashMap<TenantUser, ReaderRules>();
        rows.forEach((user, row) ->
                readerRules.put(user, new ReaderRules(Objects.requireNonNull(rules.get(user)), row.pushers)));
        return readerRules;
    }

    private Mono<Map<TenantUser, OwnRules>> read(List<TenantUser> unread, Map<TenantUser, OwnRules> parsed) {
        return Columns.of(db.sql(RULES), unread)
                .users(user -> user)
                .statement()
                .map(row -> new StoredRules(version(row), row.get("rules", String.class)))
                .all()
                .collectList()
                .map(rows -> {
                    rows.forEach(row -> parsed.put(row.version.owner, keep(row.version, row.text()).rules));
                    return parsed;
                });
    }

    private record StoredRules(
            RulesVersion version, @Nullable String content) {
        String text() {
            return content == null ? "" : content;
        }
    }

    private ParsedRules keep(RulesVersion version, String content) {
        return Objects.requireNonNull(kept.get(
                version,
                key -> new ParsedRules(
                        RulesText.read(content, key.owner.user()),
                        CompiledCohorts.bytes(Math.max(0, content.length() - DEFAULT_CHARACTERS)))));
    }

    Mono<Void> set(List<NewRules> all) {
        var users = all.stream().map(set -> set.version.owner).toList();
        var terms = new HashSet<Term>();
        all.forEach(set -> set.rules.terms().forEach(term -> terms.add(new Term(set.version.owner, term))));
        return Portions.each(all, this::setPortion)
                .then(deleteTerms(users))
                .then(Portions.each(List.copyOf(terms), this::addTerms));
    }

    private Mono<Void> setPortion(List<NewRules> all) {
        return Columns.of(db.sql(SET_RULES), all)
                .users(set -> set.version.owner)
                .texts("rules", NewRules::content)
                .longs("epochs", set -> set.version.epoch)
                .longs("positions", set -> set.version.pos)
                .then();
    }

    private Mono<Void> deleteTerms(Collection<TenantUser> users) {
        return Columns.of(db.sql(DELETE_TERMS), users).users(user -> user).then();
    }

    private Mono<Void> addTerms(List<Term> terms) {
        return Columns.of(db.sql(ADD_TERMS), terms)
                .users(Term::owner)
                .longs("terms", Term::term)
                .then();
    }

    /** Sets the flag here and in the user's memberships. */
    Mono<Void> setPushers(TenantUser user, boolean pushers) {
        return db.sql(SET_PUSHERS)
                .bind("tenant", user.tenant())
                .bind("user", user.user())
                .bind("pushers", pushers)
                .then();
    }

    Mono<Void> delete(Collection<TenantUser> users) {
        return Columns.of(db.sql(DELETE), users).users(user -> user).then().then(deleteTerms(users));
    }

    /** Resets all rules to the default rules. The pushers stay, because they are not derived from the user log. */
    Mono<Void> dropRules() {
        return db.sql(DROP_RULES).then().then(db.sql(DROP_TERMS).then());
    }

    private static RulesVersion version(Readable row) {
        return new RulesVersion(
                new TenantUser(
                        RequiredColumn.of(row, "tenant", TenantId.class),
                        RequiredColumn.of(row, "user_id", UserId.class)),
                RequiredColumn.of(row, "rules_epoch", Long.class),
                RequiredColumn.of(row, "rules_pos", Long.class));
    }
}
