package rookery.auth.profile;

import io.r2dbc.spi.Readable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.auth.text.WholeText;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.json.JsonText;
import rookery.platform.sql.RequiredColumn;

/** The profiles, field by field; a field is a row, its value is JSON. */
@Component
public class Profiles {
    static final String DISPLAY_NAME = "displayname";
    static final String AVATAR_URL = "avatar_url";

    private static final String SET = """
            INSERT INTO auth.profile_field (tenant, user_id, name, value)
            VALUES (:tenant, :user, :name, :value)
                ON CONFLICT (tenant, user_id, name) DO UPDATE SET value = excluded.value
            """;

    private static final String OF_USERS = """
            SELECT a.user_id, f.name, f.value
              FROM auth.account a
              LEFT JOIN auth.profile_field f ON f.tenant = a.tenant AND f.user_id = a.user_id
             WHERE a.tenant = :tenant AND a.user_id = ANY(:users) AND NOT a.deactivated
             ORDER BY a.user_id, f.name
            """;

    private final DatabaseClient db;

    Profiles(DatabaseClient db) {
        this.db = db;
    }

    /** Sets the name of a new account, in its transaction. */
    public Mono<Void> setDisplayName(TenantId tenant, UserId user, String name) {
        return db.sql(SET)
                .bind("tenant", tenant.value())
                .bind("user", user.value())
                .bind("name", DISPLAY_NAME)
                .bind("value", WholeText.toJson(name))
                .then();
    }

    /** The fields of each user by name, as JSON; unknown and deactivated users are absent. */
    Mono<Map<UserId, Map<String, JsonText>>> of(TenantId tenant, List<UserId> users) {
        return db.sql(OF_USERS)
                .bind("tenant", tenant.value())
                .bind("users", users.stream().map(UserId::value).toArray(String[]::new))
                .map(Profiles::field)
                .all()
                .collect(LinkedHashMap::new, Profiles::add);
    }

    private static void add(Map<UserId, Map<String, JsonText>> profiles, Field field) {
        var profile = profiles.computeIfAbsent(field.user, _ -> new LinkedHashMap<>());
        if (field.name != null && field.value != null) {
            profile.put(field.name, new JsonText(field.value));
        }
    }

    private record Field(
            UserId user, @Nullable String name, @Nullable String value) {}

    private static Field field(Readable row) {
        return new Field(
                new UserId(RequiredColumn.of(row, "user_id", String.class)),
                row.get("name", String.class),
                row.get("value", String.class));
    }
}
