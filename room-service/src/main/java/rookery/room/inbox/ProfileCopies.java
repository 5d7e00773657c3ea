// SPDX-License-Identifier: Apache-2.0
package rookery.room.inbox;

import static rookery.room.table.RoomColumns.texts;

import io.r2dbc.spi.Parameters;
import io.r2dbc.spi.R2dbcType;
import io.r2dbc.spi.Readable;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.MediaId;
import rookery.model.id.TenantId;
import rookery.model.id.TenantUser;
import rookery.model.id.UserId;
import rookery.model.topic.UserLogRecord;
import rookery.model.topic.UserLogRecord.ProfileSet;
import rookery.platform.log.text.UserLogText;
import rookery.platform.sql.RequiredColumn;

/** The copy of changed profiles from the user log, and the deactivated users. */
@Component
public class ProfileCopies {
    private static final String FIND = """
            SELECT k.tenant, k.user_id, p.epoch, p.pos, p.content, d.user_id IS NOT NULL AS departed
              FROM unnest(:tenants::int[], :users::text[]) AS k (tenant, user_id)
              LEFT JOIN room.profile p ON p.tenant = k.tenant AND p.user_id = k.user_id
              LEFT JOIN room.departed d ON d.tenant = k.tenant AND d.user_id = k.user_id
             WHERE p.user_id IS NOT NULL OR d.user_id IS NOT NULL
            """;

    private static final String SET = """
            INSERT INTO room.profile (tenant, user_id, epoch, pos, content, avatar_media)
            VALUES (:tenant, :user, :epoch, :pos, :content, :avatar)
                ON CONFLICT (tenant, user_id) DO UPDATE
               SET epoch = excluded.epoch, pos = excluded.pos, content = excluded.content, avatar_media = excluded.avatar_media
            """;

    private static final String DROP = """
            DELETE FROM room.profile
            """;

    private static final String DEPART = """
            INSERT INTO room.departed (tenant, user_id, erased) VALUES (:tenant, :user, :erased)
                ON CONFLICT (tenant, user_id) DO UPDATE SET erased = departed.erased OR excluded.erased
            """;

    private final DatabaseClient db;

    ProfileCopies(DatabaseClient db) {
        this.db = db;
    }

    /** A user's entry; {@code profile} is null without changes so far. */
    public record ProfileCopy(@Nullable ShownProfile profile, boolean departed) {}

    /** The entries of the users; users without an entry are absent. */
    public Mono<Map<TenantUser, ProfileCopy>> find(Collection<TenantUser> users) {
        if (users.isEmpty()) {
            return Mono.just(Map.of());
        }
        return db.sql(FIND)
                .bind(
                        "tenants",
                        users.stream().map(user -> user.tenant().value()).toArray(Integer[]::new))
                .bind("users", texts(users, user -> user.user().value()))
                .map(ProfileCopies::row)
                .all()
                .collectMap(Row::user, Row::copy);
    }

    /** Marks the user as deactivated: no room accepts the user any more. The current rooms are left one by one. */
    public Mono<Void> depart(TenantUser user, boolean erased) {
        return db.sql(DEPART)
                .bind("tenant", user.tenant())
                .bind("user", user.user())
                .bind("erased", erased)
                .then();
    }

    Mono<Void> set(TenantUser user, ProfileSet profile, long epoch, long pos) {
        return db.sql(SET)
                .bind("tenant", user.tenant())
                .bind("user", user.user())
                .bind("epoch", epoch)
                .bind("pos", pos)
                .bind("content", UserLogText.write(profile))
                .bind("avatar", Parameters.in(R2dbcType.VARCHAR, avatar(user.user(), profile.avatarUrl())))
                .then();
    }

    private static @Nullable String avatar(UserId user, @Nullable String uri) {
        var media = uri == null ? null : MediaId.ofServer(user, uri);
        return media == null ? null : media.value();
    }

    /** Deletes the copies of all tenants before the log is followed from its beginning again. */
    Mono<Void> drop() {
        return db.sql(DROP).then();
    }

    private record Row(TenantUser user, ProfileCopy copy) {}

    private static Row row(Readable row) {
        var user = new TenantUser(
                RequiredColumn.of(row, "tenant", TenantId.class), RequiredColumn.of(row, "user_id", UserId.class));
        return new Row(user, new ProfileCopy(profile(row), RequiredColumn.of(row, "departed", Boolean.class)));
    }

    private static @Nullable ShownProfile profile(Readable row) {
        String content = row.get("content", String.class);
        if (content == null || !(UserLogText.read(UserLogRecord.PROFILE, content) instanceof ProfileSet profile)) {
            return null;
        }
        return new ShownProfile(
                RequiredColumn.of(row, "epoch", Long.class),
                RequiredColumn.of(row, "pos", Long.class),
                profile.displayname(),
                profile.avatarUrl());
    }
}
