// SPDX-License-Identifier: Apache-2.0
package rookery.auth.profile;

import io.r2dbc.spi.Readable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.auth.text.WholeText;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.json.JsonText;
import rookery.platform.sql.RequiredColumn;
import tools.jackson.databind.json.JsonMapper;

/** The table of profile fields: one row per field, with a JSON value. */
@Component
public class Profiles {
    static final String DISPLAY_NAME = "displayname";
    static final String AVATAR_URL = "avatar_url";

    private static final String SET = """
            INSERT INTO auth.profile_field (tenant, user_id, name, value)
            VALUES (:tenant, :user, :name, :value)
                ON CONFLICT (tenant, user_id, name) DO UPDATE SET value = excluded.value
            """;

    private static final String UNSET = """
            DELETE FROM auth.profile_field WHERE tenant = :tenant AND user_id = :user AND name = :name
            """;

    private static final String UNSET_ALL = """
            DELETE FROM auth.profile_field WHERE tenant = :tenant AND user_id = :user
            """;

    private static final String CHANGED = """
            INSERT INTO auth.profile_version (tenant, user_id, pos) VALUES (:tenant, :user, :pos)
                ON CONFLICT (tenant, user_id) DO UPDATE SET pos = excluded.pos
            """;

    private static final String FIND = """
            SELECT a.user_id, f.name, f.value
              FROM auth.account a
              LEFT JOIN auth.profile_field f ON f.tenant = a.tenant AND f.user_id = a.user_id
             WHERE a.tenant = :tenant AND a.user_id = :user AND a.approved AND NOT a.deactivated
             ORDER BY f.name
            """;

    private static final String FIELDS = """
            SELECT name, value FROM auth.profile_field WHERE tenant = :tenant AND user_id = :user
            """;

    private static final String SHOWN = """
            SELECT a.user_id, n.value AS displayname, p.value AS avatar_url, coalesce(v.pos, 0) AS pos, s.epoch,
                   i.content AS invite_permission
              FROM auth.account a
             CROSS JOIN (SELECT max(epoch) AS epoch FROM auth.shard) s
              LEFT JOIN auth.profile_version v ON v.tenant = a.tenant AND v.user_id = a.user_id
              LEFT JOIN auth.profile_field n ON n.tenant = a.tenant AND n.user_id = a.user_id AND n.name = 'displayname'
              LEFT JOIN auth.account_data i ON i.tenant = a.tenant AND i.user_id = a.user_id AND i.room_id = ''
                                           AND i.type = 'm.invite_permission_config'
              LEFT JOIN auth.profile_field p ON p.tenant = a.tenant AND p.user_id = a.user_id AND p.name = 'avatar_url'
             WHERE a.tenant = :tenant AND a.user_id = ANY(:users) AND a.approved AND NOT a.deactivated
             ORDER BY a.user_id
            """;

    private static final JsonMapper JSON = JsonMapper.shared();

    private final DatabaseClient db;

    Profiles(DatabaseClient db) {
        this.db = db;
    }

    /** Sets the display name of a new account, in the transaction of the registration. */
    public Mono<Void> setDisplayName(TenantId tenant, UserId user, String name) {
        return set(tenant, user, DISPLAY_NAME, WholeText.toJson(name));
    }

    Mono<Void> set(TenantId tenant, UserId user, String name, String json) {
        return of(SET, tenant, user).bind("name", name).bind("value", json).then();
    }

    Mono<Void> unset(TenantId tenant, UserId user, String name) {
        return of(UNSET, tenant, user).bind("name", name).then();
    }

    Mono<Void> unsetAll(TenantId tenant, UserId user) {
        return of(UNSET_ALL, tenant, user).then();
    }

    /** Records the position of a change of the display name or the avatar. */
    public Mono<Void> changedAt(TenantId tenant, UserId user, long pos) {
        return of(CHANGED, tenant, user).bind("pos", pos).then();
    }

    /** The fields by name, as JSON; empty for unknown and deactivated users, and before the approval. */
    Mono<Map<String, JsonText>> find(TenantId tenant, UserId user) {
        return of(FIND, tenant, user)
                .map(Profiles::field)
                .all()
                .collectList()
                .filter(rows -> !rows.isEmpty())
                .map(Profiles::byName);
    }

    /** The fields by name, as JSON, also of deactivated users; no fields for unknown users. */
    Mono<Map<String, JsonText>> fields(TenantId tenant, UserId user) {
        return of(FIELDS, tenant, user).map(Profiles::field).all().collectList().map(Profiles::byName);
    }

    /** The profiles that rooms show, with the positions of the last changes. Users who are unknown, deactivated or not approved are
     * absent.
     */
    Mono<List<ProfileRow>> shown(TenantId tenant, List<UserId> users) {
        return db.sql(SHOWN)
                .bind("tenant", tenant)
                .bind("users", users.toArray(UserId[]::new))
                .map(Profiles::shown)
                .all()
                .collectList();
    }

    /**
     * The profile of a user.
     *
     * @param displayname as JSON, like {@code avatarUrl}
     * @param blocksInvites whether the user blocks invitations (contract.md 8.3)
     */
    record ProfileRow(
            UserId user,
            @Nullable JsonText displayname,
            @Nullable JsonText avatarUrl,
            long epoch,
            long pos,
            boolean blocksInvites) {}

    private GenericExecuteSpec of(String sql, TenantId tenant, UserId user) {
        return db.sql(sql).bind("tenant", tenant).bind("user", user);
    }

    private record Field(@Nullable String name, @Nullable String value) {}

    private static Field field(Readable row) {
        return new Field(row.get("name", String.class), row.get("value", String.class));
    }

    private static Map<String, JsonText> byName(List<Field> fields) {
        var byName = new LinkedHashMap<String, JsonText>();
        for (var field : fields) {
            if (field.name != null && field.value != null) {
                byName.put(field.name, new JsonText(field.value));
            }
        }
        return byName;
    }

    private static ProfileRow shown(Readable row) {
        return new ProfileRow(
                RequiredColumn.of(row, "user_id", UserId.class),
                json(row.get("displayname", String.class)),
                json(row.get("avatar_url", String.class)),
                RequiredColumn.of(row, "epoch", Long.class),
                RequiredColumn.of(row, "pos", Long.class),
                blocksInvites(row.get("invite_permission", String.class)));
    }

    private static boolean blocksInvites(@Nullable String permission) {
        return permission != null
                && JSON.readTree(permission).path("default_action").asString("").equals("block");
    }

    private static @Nullable JsonText json(@Nullable String text) {
        return text == null ? null : new JsonText(text);
    }
}
