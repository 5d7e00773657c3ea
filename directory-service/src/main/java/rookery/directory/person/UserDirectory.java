// SPDX-License-Identifier: Apache-2.0
package rookery.directory.person;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.r2dbc.spi.Readable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.directory.SearchText;
import rookery.model.id.ServerName;
import rookery.model.id.TenantId;
import rookery.model.id.TenantUser;
import rookery.model.id.UserId;
import rookery.model.topic.UserLogRecord.ProfileSet;
import rookery.platform.http.PageBytes;
import rookery.platform.sql.Portions;
import rookery.platform.sql.RequiredColumn;
import tools.jackson.databind.json.JsonMapper;

/** The user directory, derived from the user log. Applying an entry twice has no further effect. */
@Component
public class UserDirectory {
    /** The version of {@link SearchText#words} in stored rows; increasing the version recomputes the words of all accounts. */
    private static final String WORDS_FORM = "1";

    /** A deactivated account stays hidden, because its name is never assigned again. */
    private static final String SHOW = """
            INSERT INTO directory.person AS existing (tenant, user_id, profile, localpart, words, words_form)
            SELECT k.*, FORM
              FROM unnest(:tenants::int[], :users::text[], :profiles::text[], :localparts::text[], :words::text[]) k
                ON CONFLICT (tenant, user_id) DO UPDATE
                   SET profile = excluded.profile, words = excluded.words, words_form = excluded.words_form
             WHERE NOT existing.ended
            """.replace("FORM", WORDS_FORM);

    private static final String OF_OLD_FORM = """
            SELECT tenant, user_id, profile FROM directory.person
             WHERE words_form < FORM AND NOT ended
             LIMIT 500 FOR UPDATE SKIP LOCKED
            """.replace("FORM", WORDS_FORM);

    private static final String RENEW = """
            UPDATE directory.person p SET words = k.words, words_form = FORM
              FROM unnest(:tenants::int[], :users::text[], :words::text[]) AS k (tenant, user_id, words)
             WHERE p.tenant = k.tenant AND p.user_id = k.user_id
            """.replace("FORM", WORDS_FORM);

    private static final String END = """
            INSERT INTO directory.person (tenant, user_id, ended, localpart)
            SELECT k.tenant, k.user_id, true, k.localpart
              FROM unnest(:tenants::int[], :users::text[], :localparts::text[]) AS k (tenant, user_id, localpart)
                ON CONFLICT (tenant, user_id) DO UPDATE SET ended = true, profile = '{}', words = ''
            """;

    /**
     * The exact user id first, then user names with the prefix, then all other matches, each by user id. OFFSET 0 makes
     * PostgreSQL sort each part before checking visibility, so only as many rows are checked as the limit needs.
     */
    private static final String FOUND = """
            SELECT rank, user_id, profile FROM (
                (SELECT 0 AS rank, user_id, profile FROM directory.person p
                  WHERE tenant = :tenant AND user_id = :exact AND NOT ended AND user_id <> :caller VISIBLE)
                UNION ALL
                (SELECT 1, user_id, profile FROM (
                    SELECT tenant, user_id, profile FROM directory.person
                     WHERE tenant = :tenant AND localpart LIKE :prefix AND NOT ended
                       AND user_id <> :caller AND user_id <> :exact
                     ORDER BY localpart, user_id OFFSET 0) p
                  WHERE true VISIBLE LIMIT :limit)
                UNION ALL
                (SELECT 2, user_id, profile FROM (
                    SELECT tenant, user_id, profile FROM directory.person
                     WHERE tenant = :tenant AND (localpart LIKE :anywhere OR words LIKE :word) AND NOT ended
                       AND localpart NOT LIKE :prefix AND user_id <> :caller AND user_id <> :exact
                     ORDER BY user_id OFFSET 0) p
                  WHERE true VISIBLE LIMIT :limit)) AS found
             ORDER BY rank, user_id LIMIT :limit
            """;

    private static final String SEARCH =
            """
            SELECT p.user_id, p.profile, p.number
              FROM (SELECT f.*, count(*) OVER () AS number,
                           sum(octet_length(f.profile)) OVER (ORDER BY f.rank, f.user_id) AS bytes FROM (FOUND) f) p
             WHERE p.bytes - octet_length(p.profile) < MAX
             ORDER BY p.rank, p.user_id
            """.replace("MAX", String.valueOf(PageBytes.PAGE_MAX)).replace("FOUND", FOUND);

    /** A scalar subquery instead of EXISTS, which PostgreSQL would join with all matching accounts. */
    private static final String SHARES_A_ROOM = """
             AND (SELECT true
                    FROM directory.member m JOIN directory.room r ON r.tenant = m.tenant AND r.room_id = m.room_id
                   WHERE m.tenant = p.tenant AND m.user_id = p.user_id
                     AND (r.open OR EXISTS (SELECT FROM directory.member own
                                             WHERE own.tenant = m.tenant AND own.room_id = m.room_id
                                               AND own.user_id = :caller))
                   LIMIT 1)
            """;

    private static final String FORGET_ALL = "DELETE FROM directory.person";

    /** The pattern for a term without letters; no word matches, because words begin with a space. */
    private static final String NO_WORD = "-";

    /** The pattern for a term that cannot be a user name; no user name matches. */
    private static final String NO_NAME = " ";

    private static final Pattern LOCALPART = Pattern.compile("[a-z0-9._=/+-]*");

    private static final JsonMapper JSON = JsonMapper.shared();

    private final DatabaseClient db;

    UserDirectory(DatabaseClient db) {
        this.db = db;
    }

    /** An account's new profile; {@code profile} is null for a deactivated account. */
    public record Change(
            TenantId tenant, UserId user, @Nullable ProfileSet profile) {}

    /** Applies the changes in their order. */
    public Mono<Void> take(List<Change> changes) {
        var last = new LinkedHashMap<TenantUser, Change>();
        for (var change : changes) {
            last.merge(
                    new TenantUser(change.tenant, change.user), change, (old, now) -> old.profile == null ? old : now);
        }
        var shown =
                last.values().stream().filter(change -> change.profile != null).toList();
        var ended =
                last.values().stream().filter(change -> change.profile == null).toList();
        return Portions.each(shown, this::show).then(Mono.defer(() -> Portions.each(ended, this::end)));
    }

    private Mono<Void> show(List<Change> changes) {
        return of(SHOW, changes)
                .bind("profiles", changes.stream().map(UserDirectory::profile).toArray(String[]::new))
                .bind("words", changes.stream().map(UserDirectory::words).toArray(String[]::new))
                .then();
    }

    private Mono<Void> end(List<Change> changes) {
        return of(END, changes).then();
    }

    private DatabaseClient.GenericExecuteSpec of(String sql, List<Change> changes) {
        return db.sql(sql)
                .bind(
                        "tenants",
                        changes.stream().map(change -> change.tenant.value()).toArray(Integer[]::new))
                .bind(
                        "users",
                        changes.stream().map(change -> change.user.value()).toArray(String[]::new))
                .bind(
                        "localparts",
                        changes.stream()
                                .map(change -> SearchText.folded(change.user.localpart()))
                                .toArray(String[]::new));
    }

    private static String profile(Change change) {
        return JSON.writeValueAsString(
                change.profile == null
                        ? Map.of()
                        : new Profile(change.profile.displayname(), change.profile.avatarUrl()));
    }

    private static String words(Change change) {
        var name = change.profile == null ? null : change.profile.displayname();
        return name == null ? "" : SearchText.words(name);
    }

    /** Accounts, the best matches first; {@code limited} if more accounts match. */
    record FoundUsers(List<UserResult> users, boolean limited) {}

    /**
     * The matching accounts of a tenant except the caller's, within the byte limit of a page.
     *
     * @param all whether all accounts are visible, or only accounts in a room of the caller or in an open room
     */
    Mono<FoundUsers> search(TenantId tenant, ServerName server, UserId caller, String term, boolean all, int limit) {
        var name = Name.of(SearchText.folded(term), server);
        var words = SearchText.literal(SearchText.words(term));
        return db.sql(SEARCH.replace("VISIBLE", all ? "" : SHARES_A_ROOM))
                .bind("tenant", tenant)
                .bind("caller", caller)
                .bind("exact", name.exact)
                .bind("prefix", name.prefix)
                .bind("anywhere", name.anywhere)
                .bind("word", words.isEmpty() ? NO_WORD : "%" + words + "%")
                .bind("limit", limit + 1)
                .map(row -> Map.entry(result(row), RequiredColumn.of(row, "number", Long.class)))
                .all()
                .collectList()
                .map(rows -> foundUsers(rows, limit));
    }

    /**
     * The patterns of a term for user names: {@code name} matches any part, {@code @name} a prefix, and {@code name:server} the
     * whole name with any prefix of the server name.
     *
     * @param exact a user id
     * @param prefix a pattern of local parts, like {@code anywhere}
     */
    private record Name(String exact, String prefix, String anywhere) {
        private static final Name NOBODY = new Name(NO_NAME, NO_NAME, NO_NAME);

        static Name of(String term, ServerName server) {
            boolean isId = term.startsWith("@");
            var id = isId ? term.substring(1) : term;
            int colon = id.indexOf(':');
            var localpart = colon < 0 ? id : id.substring(0, colon);
            if (!LOCALPART.matcher(localpart).matches()
                    || !server.value().startsWith(id.substring(colon < 0 ? id.length() : colon + 1))) {
                return NOBODY;
            }
            var literal = SearchText.literal(localpart);
            var prefix = literal + (colon < 0 ? "%" : "");
            return new Name("@" + localpart + ":" + server.value(), prefix, (isId || colon >= 0 ? "" : "%") + prefix);
        }
    }

    private static FoundUsers foundUsers(List<Map.Entry<UserResult, Long>> rows, int limit) {
        var users = rows.stream().map(Map.Entry::getKey).limit(limit).toList();
        return new FoundUsers(users, !rows.isEmpty() && rows.getFirst().getValue() > users.size());
    }

    private static UserResult result(Readable row) {
        var profile = JSON.readValue(RequiredColumn.of(row, "profile", String.class), Profile.class);
        return new UserResult(RequiredColumn.of(row, "user_id", UserId.class), profile.displayName, profile.avatarUrl);
    }

    /**
     * Recomputes the words of up to 500 accounts with an older version and returns their number. Needs a transaction, in which
     * the rows stay locked; rows locked by other instances are skipped.
     */
    Mono<Integer> renewWords() {
        return db.sql(OF_OLD_FORM)
                .map(row -> new Change(
                        RequiredColumn.of(row, "tenant", TenantId.class),
                        RequiredColumn.of(row, "user_id", UserId.class),
                        profile(RequiredColumn.of(row, "profile", String.class))))
                .all()
                .collectList()
                .delayUntil(this::renewWords)
                .map(List::size);
    }

    private Mono<Void> renewWords(List<Change> people) {
        return people.isEmpty()
                ? Mono.empty()
                : db.sql(RENEW)
                        .bind(
                                "tenants",
                                people.stream()
                                        .map(person -> person.tenant.value())
                                        .toArray(Integer[]::new))
                        .bind(
                                "users",
                                people.stream()
                                        .map(person -> person.user.value())
                                        .toArray(String[]::new))
                        .bind("words", people.stream().map(UserDirectory::words).toArray(String[]::new))
                        .then();
    }

    private static ProfileSet profile(String json) {
        var profile = JSON.readValue(json, Profile.class);
        return new ProfileSet(profile.displayName, profile.avatarUrl);
    }

    /** Empties the user directory before a new derivation. */
    public Mono<Void> forgetAll() {
        return db.sql(FORGET_ALL).then();
    }

    private record Profile(
            @JsonProperty("display_name") @Nullable String displayName,
            @JsonProperty("avatar_url") @Nullable String avatarUrl) {}

    /** An account in the answer to clients. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record UserResult(
            @JsonProperty("user_id") UserId userId,
            @JsonProperty("display_name") @Nullable String displayName,
            @JsonProperty("avatar_url") @Nullable String avatarUrl) {}
}
