// SPDX-License-Identifier: Apache-2.0
package rookery.auth.administration;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.r2dbc.spi.Readable;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.http.SortKey;
import rookery.platform.sql.RequiredColumn;
import tools.jackson.databind.json.JsonMapper;

/** The tenant's accounts for its administrators, deactivated accounts included (contract.md 5.2). */
@Component
class AccountList {
    /** What is shown beside the account is read for the accounts of the page only. */
    private static final String PAGE = """
            SELECT place.*, d.devices, d.last_seen_at,
                   (SELECT value FROM auth.profile_field n
                     WHERE n.tenant = :tenant AND n.user_id = place.user_id AND n.name = 'displayname') AS display_name,
                   (SELECT value FROM auth.profile_field p
                     WHERE p.tenant = :tenant AND p.user_id = place.user_id AND p.name = 'avatar_url') AS avatar_url
              FROM (SELECT a.user_id, a.admin, a.deactivated, a.blocked, a.suspended, a.approved, a.created_at, NUMBER AS number
                      SOURCE
                     WHERE a.tenant = :tenant MATCHING AFTER
                     ORDER BY PLACE LIMIT :limit) AS place
             CROSS JOIN LATERAL (SELECT count(*) AS devices, max(last_seen_at) AS last_seen_at FROM auth.device d
                                  WHERE d.tenant = :tenant AND d.user_id = place.user_id) AS d
             ORDER BY place.number DIRECTION, place.user_id DIRECTION
            """;

    private static final String PLACE = """
            SELECT a.user_id, NUMBER AS number
              SOURCE
             WHERE a.tenant = :tenant MATCHING
             ORDER BY PLACE OFFSET :skipped LIMIT 1
            """;

    private static final String COUNT = """
            SELECT count(*) AS accounts FROM auth.account a WHERE a.tenant = :tenant FLAGS
            """;

    /** Without a join, whose order the planner would have to guess from the searched text. */
    private static final String COUNT_FOUND = """
            SELECT (SELECT count(*) FROM auth.account a WHERE a.tenant = :tenant AND A_ID FLAGS)
                 + (SELECT count(*) FROM auth.profile_field n
                     WHERE n.tenant = :tenant AND n.name = 'displayname' AND NOT (N_ID) AND N_NAME NAMED) AS accounts
            """;

    private static final String NAMED = """
             AND EXISTS (SELECT FROM auth.account a WHERE a.tenant = n.tenant AND a.user_id = n.user_id FLAGS)
            """;

    /** For a text that few accounts have. */
    private static final String FOUND_FIRST = """
             AND a.user_id IN (
                 SELECT i.user_id FROM auth.account i WHERE i.tenant = :tenant AND I_ID
                  UNION ALL
                 SELECT n.user_id FROM auth.profile_field n
                  WHERE n.tenant = :tenant AND n.name = 'displayname' AND N_NAME)
            """;

    /** For a text that many accounts have: a page is full after a part of the accounts. */
    private static final String FOUND_IN_ORDER = """
             AND (A_ID OR (SELECT N_NAME FROM auth.profile_field n
                            WHERE n.tenant = a.tenant AND n.user_id = a.user_id AND n.name = 'displayname'))
            """;

    private static final long FEW = 5_000;

    /** Indexes of trigrams find a text only by three letters or digits in a row; for other texts a scan is faster. */
    private static final Pattern TRIGRAM = Pattern.compile("[\\p{L}\\p{N}]{3}");

    private static final JsonMapper JSON = JsonMapper.shared();

    private final DatabaseClient db;

    AccountList(DatabaseClient db) {
        this.db = db;
    }

    /**
     * A filter of accounts; null fields match every account.
     *
     * @param search a case-insensitive part of the user ID or the display name
     * @param user only this user
     */
    record AccountQuery(
            TenantId tenant,
            @Nullable String search,
            @Nullable Boolean admin,
            @Nullable Boolean deactivated,
            @Nullable Boolean blocked,
            @Nullable Boolean suspended,
            @Nullable Boolean approved,
            @Nullable UserId user) {
        /** The conditions beside the search. */
        private String flags() {
            return flag("admin", admin)
                    + flag("deactivated", deactivated)
                    + flag("blocked", blocked)
                    + flag("suspended", suspended)
                    + flag("approved", approved)
                    + (user == null ? "" : " AND a.user_id = :user");
        }
    }

    Mono<Long> count(AccountQuery query) {
        var sql = query.search == null
                ? COUNT
                : COUNT_FOUND.replace("NAMED", query.flags().isEmpty() ? "" : NAMED);
        return bound(sql, query).mapValue(Long.class).one();
    }

    /**
     * Accounts behind the key of an account, or from the beginning for an empty key.
     *
     * @param total the number of matching accounts, on which the way to them depends
     */
    Mono<List<AccountRow>> after(AccountQuery query, AccountOrder order, String key, int limit, long total) {
        var statement = bound(order.in(matching(PAGE, query, total), !key.isEmpty()), query)
                .bind("limit", limit);
        return bound(statement, order, key).map(AccountList::row).all().collectList();
    }

    private static GenericExecuteSpec bound(GenericExecuteSpec statement, AccountOrder order, String key) {
        if (key.isEmpty()) {
            return statement;
        }
        if (!order.hasNumber()) {
            return statement.bind("user_after", key);
        }
        var place = SortKey.of(key);
        return statement.bind("number_after", place.number()).bind("user_after", place.id());
    }

    /** The key of the last of that many accounts, at least one; empty if there are fewer. */
    Mono<String> place(AccountQuery query, AccountOrder order, int skipped, long total) {
        return bound(order.in(matching(PLACE, query, total), false), query)
                .bind("skipped", skipped - 1)
                .map(row -> order.key(
                        RequiredColumn.of(row, "number", Long.class), RequiredColumn.of(row, "user_id", String.class)))
                .one();
    }

    private static String matching(String sql, AccountQuery query, long total) {
        var search = query.search == null ? "" : total <= FEW ? FOUND_FIRST : FOUND_IN_ORDER;
        return sql.replace("MATCHING", search + " FLAGS");
    }

    private GenericExecuteSpec bound(String sql, AccountQuery query) {
        var search = query.search == null ? null : query.search.toLowerCase(Locale.ROOT);
        boolean indexed = search != null && TRIGRAM.matcher(search).find();
        var complete = sql.replace("FLAGS", query.flags())
                .replace("A_ID", has("lower(a.user_id COLLATE \"C\")", ":term", indexed))
                .replace("I_ID", has("lower(i.user_id COLLATE \"C\")", ":term", indexed))
                .replace("N_ID", has("lower(n.user_id COLLATE \"C\")", ":term", indexed))
                .replace("N_NAME", has("lower(n.value)", ":json", indexed));
        var statement = db.sql(complete).bind("tenant", query.tenant);
        if (search != null) {
            var json = JSON.writeValueAsString(search);
            var term = search.replace('\0', '\uFFFD');
            var name = json.substring(1, json.length() - 1);
            statement =
                    statement.bind("term", indexed ? pattern(term) : term).bind("json", indexed ? pattern(name) : name);
        }
        return query.user == null ? statement : statement.bind("user", query.user);
    }

    private static String has(String expression, String text, boolean indexed) {
        return indexed ? expression + " LIKE " + text : "strpos(" + expression + ", " + text + ") > 0";
    }

    private static String pattern(String text) {
        return "%" + text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%";
    }

    private static String flag(String column, @Nullable Boolean value) {
        return value == null ? "" : " AND " + (value ? "" : "NOT ") + "a." + column;
    }

    private static AccountRow row(Readable row) {
        var seen = row.get("last_seen_at", Instant.class);
        return new AccountRow(
                RequiredColumn.of(row, "user_id", UserId.class),
                text(row.get("display_name", String.class)),
                text(row.get("avatar_url", String.class)),
                RequiredColumn.of(row, "admin", Boolean.class),
                RequiredColumn.of(row, "deactivated", Boolean.class),
                RequiredColumn.of(row, "blocked", Boolean.class),
                RequiredColumn.of(row, "suspended", Boolean.class),
                RequiredColumn.of(row, "approved", Boolean.class),
                RequiredColumn.of(row, "created_at", Instant.class).toEpochMilli(),
                seen == null ? null : seen.toEpochMilli(),
                RequiredColumn.of(row, "devices", Long.class));
    }

    private static @Nullable String text(@Nullable String json) {
        return json == null ? null : JSON.readValue(json, String.class);
    }

    /** An account; times in ms. */
    record AccountRow(
            @JsonProperty("user_id") UserId userId,
            @JsonProperty("display_name") @Nullable String displayName,
            @JsonProperty("avatar_url") @Nullable String avatarUrl,
            boolean admin,
            boolean deactivated,
            boolean blocked,
            boolean suspended,
            boolean approved,
            @JsonProperty("created_at") long createdAt,
            @JsonProperty("last_seen_ts") @Nullable Long lastSeenTs,
            @JsonProperty("device_count") long deviceCount) {}
}
