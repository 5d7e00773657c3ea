// SPDX-License-Identifier: Apache-2.0
package rookery.auth.device;

import io.r2dbc.spi.Parameters;
import io.r2dbc.spi.R2dbcType;
import io.r2dbc.spi.Readable;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.auth.text.WholeText;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.DeviceId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.sql.RequiredColumn;
import rookery.platform.tenant.TenantSettings;
import rookery.platform.tenant.Tenants;

/** The table of devices. A transaction that changes a device's tokens locks the row of the device before it reads the tokens. */
@Component
public class Devices {
    /** Serializes additions for one user until the transaction ends: concurrent logins cannot both take the last free place. */
    private static final String LOCK_NUMBER = """
            SELECT pg_advisory_xact_lock(hashtext('auth.device ' || :tenant::int), hashtext(:user))
            """;

    private static final String ADD_OR_LOCK = """
            INSERT INTO auth.device AS d (tenant, user_id, device_id, display_name, created_at, last_seen_at, password_at)
            SELECT :tenant, :user, :device, :name, :now, :now, CASE WHEN :passwordShown THEN :now::timestamptz END
             WHERE (SELECT count(*) FROM auth.device o
                     WHERE o.tenant = :tenant AND o.user_id = :user AND o.device_id <> :device) < :most
                OR EXISTS (SELECT 1 FROM auth.device o
                            WHERE o.tenant = :tenant AND o.user_id = :user AND o.device_id = :device)
                ON CONFLICT (tenant, user_id, device_id) DO UPDATE
               SET last_seen_at = excluded.last_seen_at, password_at = excluded.password_at
            """;

    private static final String PASSWORD_SHOWN = """
            SELECT password_at > :since AS shown
              FROM auth.device
             WHERE tenant = :tenant AND user_id = :user AND device_id = :device AND password_at IS NOT NULL
            """;

    private static final String LOCK_ALL = """
            SELECT device_id
              FROM auth.device
             WHERE tenant = :tenant AND user_id = :user
             ORDER BY device_id
               FOR UPDATE
            """;

    private static final String LOCK_SOME = """
            SELECT device_id
              FROM auth.device
             WHERE tenant = :tenant AND user_id = :user AND device_id = ANY(:devices)
             ORDER BY device_id
               FOR UPDATE
            """;

    private static final String OF_USER = """
            SELECT device_id, display_name, last_seen_at, last_seen_ip
              FROM auth.device
             WHERE tenant = :tenant AND user_id = :user
             ORDER BY created_at, device_id
            """;

    private static final String IDS = """
            SELECT device_id FROM auth.device WHERE tenant = :tenant AND user_id = :user
            """;

    private static final String WITH_DEVICES = """
            SELECT DISTINCT user_id FROM auth.device WHERE tenant = :tenant AND user_id = ANY(:users)
            """;

    private static final String RENAME = """
            UPDATE auth.device
               SET display_name = coalesce(:name, display_name)
             WHERE tenant = :tenant AND user_id = :user AND device_id = :device
            """;

    private static final String DELETE = """
            DELETE FROM auth.device
             WHERE tenant = :tenant AND user_id = :user AND device_id = ANY(:devices)
            """;

    private static final String SEEN = """
            UPDATE auth.device
               SET last_seen_at = :now
             WHERE tenant = :tenant AND user_id = :user AND device_id = :device
            """;

    private final DatabaseClient db;
    private final Clock clock;
    private final DeviceProperties properties;
    private final Tenants tenants;

    Devices(DatabaseClient db, Clock clock, DeviceProperties properties, Tenants tenants) {
        this.db = db;
        this.clock = clock;
        this.properties = properties;
        this.tenants = tenants;
    }

    /**
     * Creates the device, or locks the existing row until the transaction ends. An existing device keeps its name and keys.
     * M_RESOURCE_LIMIT_EXCEEDED if the user has too many other devices.
     *
     * @param passwordShown whether the session starts with the account's password
     */
    public Mono<Void> addOrLock(
            TenantId tenant, UserId user, DeviceId device, @Nullable DeviceName name, boolean passwordShown) {
        long most = tenants.setting(tenant, TenantSettings.DEVICES_MAX, (long) properties.numberMax());
        return of(LOCK_NUMBER, tenant, user)
                .then()
                .then(Mono.defer(() -> of(ADD_OR_LOCK, tenant, user)
                        .bind("device", device)
                        .bind("name", text(name))
                        .bind("now", clock.instant())
                        .bind("passwordShown", passwordShown)
                        .bind("most", most)
                        .fetch()
                        .rowsUpdated()))
                .flatMap(rows -> rows > 0 ? Mono.empty() : Mono.error(tooMany(most)));
    }

    private static ApiException tooMany(long most) {
        return new ApiException(
                ErrorCode.M_RESOURCE_LIMIT_EXCEEDED,
                "an account has at most " + most + " devices: log one of them out first");
    }

    /** True if the device's session started with the account's password, at most {@code lately} ago. */
    public Mono<Boolean> hasShownPassword(TenantId tenant, UserId user, DeviceId device, Duration lately) {
        return of(PASSWORD_SHOWN, tenant, user)
                .bind("device", device)
                .bind("since", clock.instant().minus(lately))
                .mapValue(Boolean.class)
                .one()
                .defaultIfEmpty(false);
    }

    /** All of the user's devices, locked until the transaction ends. */
    public Mono<List<DeviceId>> lockAll(TenantId tenant, UserId user) {
        return of(LOCK_ALL, tenant, user).mapValue(DeviceId.class).all().collectList();
    }

    /** The existing ones of the given devices, locked until the transaction ends. */
    public Mono<List<DeviceId>> lock(TenantId tenant, UserId user, List<DeviceId> devices) {
        return of(LOCK_SOME, tenant, user)
                .bind("devices", devices.toArray(DeviceId[]::new))
                .mapValue(DeviceId.class)
                .all()
                .collectList();
    }

    /** The user's devices with their details, the oldest first. */
    public Mono<List<Device>> of(TenantId tenant, UserId user) {
        return of(OF_USER, tenant, user).map(Devices::device).all().collectList();
    }

    /** The IDs of the user's devices, in no order. Under the lock of the user's shard no device is deleted. */
    public Mono<List<DeviceId>> ids(TenantId tenant, UserId user) {
        return of(IDS, tenant, user).mapValue(DeviceId.class).all().collectList();
    }

    /** The given users that have at least one device. */
    public Mono<List<UserId>> withDevices(TenantId tenant, Collection<UserId> users) {
        return db.sql(WITH_DEVICES)
                .bind("tenant", tenant)
                .bind("users", users.toArray(UserId[]::new))
                .mapValue(UserId.class)
                .all()
                .collectList();
    }

    /** True if the device exists; a null name leaves the name unchanged. */
    Mono<Boolean> rename(TenantId tenant, UserId user, DeviceId device, @Nullable DeviceName name) {
        return of(RENAME, tenant, user)
                .bind("device", device)
                .bind("name", text(name))
                .fetch()
                .rowsUpdated()
                .map(rows -> rows == 1);
    }

    public Mono<Void> delete(TenantId tenant, UserId user, List<DeviceId> devices) {
        return of(DELETE, tenant, user)
                .bind("devices", devices.toArray(DeviceId[]::new))
                .then();
    }

    /** Records the time of a device's use. */
    public Mono<Void> seen(TenantId tenant, UserId user, DeviceId device) {
        return of(SEEN, tenant, user)
                .bind("device", device)
                .bind("now", clock.instant())
                .then();
    }

    private GenericExecuteSpec of(String sql, TenantId tenant, UserId user) {
        return db.sql(sql).bind("tenant", tenant).bind("user", user);
    }

    private static Device device(Readable row) {
        var id = RequiredColumn.of(row, "device_id", DeviceId.class);
        String name = row.get("display_name", String.class);
        return new Device(
                id,
                name == null || name.equals(DeviceName.NONE) ? id.value() : WholeText.ofJson(name),
                row.get("last_seen_at", Instant.class),
                row.get("last_seen_ip", String.class));
    }

    /** The name in its stored encoding, or a typed null. */
    static Object text(@Nullable DeviceName name) {
        return name == null
                ? Parameters.in(R2dbcType.VARCHAR)
                : Parameters.in(R2dbcType.VARCHAR, WholeText.toJson(name.value()));
    }
}
