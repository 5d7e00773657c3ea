package rookery.auth.device;

import io.r2dbc.spi.Parameters;
import io.r2dbc.spi.R2dbcType;
import java.time.Clock;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.auth.text.WholeText;
import rookery.model.id.DeviceId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.sql.RequiredColumn;

/** The devices. Whoever changes a device's tokens locks its row first, and then reads the tokens. */
@Component
public class Devices {
    private static final String ADD_OR_LOCK = """
            INSERT INTO auth.device AS d (tenant, user_id, device_id, display_name, created_at, last_seen_at)
            VALUES (:tenant, :user, :device, :name, :now, :now)
                ON CONFLICT (tenant, user_id, device_id) DO UPDATE SET last_seen_at = excluded.last_seen_at
            """;

    private static final String LOCK_ALL = """
            SELECT device_id
              FROM auth.device
             WHERE tenant = :tenant AND user_id = :user
             ORDER BY device_id
               FOR UPDATE
            """;

    private static final String LOCK_ONE = """
            SELECT device_id
              FROM auth.device
             WHERE tenant = :tenant AND user_id = :user AND device_id = :device
               FOR UPDATE
            """;

    private static final String DELETE = """
            DELETE FROM auth.device
             WHERE tenant = :tenant AND user_id = :user AND device_id = ANY(:devices)
            """;

    private static final String SEEN = """
            UPDATE auth.device
               SET last_seen_at = :now, last_seen_ip = coalesce(:ip, last_seen_ip)
             WHERE tenant = :tenant AND user_id = :user AND device_id = :device
            """;

    private final DatabaseClient db;
    private final Clock clock;

    Devices(DatabaseClient db, Clock clock) {
        this.db = db;
        this.clock = clock;
    }

    /** Makes the device, or locks the one that is there until the transaction ends; its name stays as it is. */
    public Mono<Void> addOrLock(TenantId tenant, UserId user, DeviceId device, @Nullable DeviceName name) {
        return db.sql(ADD_OR_LOCK)
                .bind("tenant", tenant.value())
                .bind("user", user.value())
                .bind("device", device.value())
                .bind("name", text(name == null ? null : WholeText.toJson(name.value())))
                .bind("now", clock.instant())
                .then();
    }

    /** All of the user's devices, locked until the transaction ends. */
    public Mono<List<DeviceId>> lockAll(TenantId tenant, UserId user) {
        return db.sql(LOCK_ALL)
                .bind("tenant", tenant.value())
                .bind("user", user.value())
                .map(row -> new DeviceId(RequiredColumn.of(row, "device_id", String.class)))
                .all()
                .collectList();
    }

    /** The one device, locked until the transaction ends; an empty list if it is gone. */
    public Mono<List<DeviceId>> lock(TenantId tenant, UserId user, DeviceId device) {
        return db.sql(LOCK_ONE)
                .bind("tenant", tenant.value())
                .bind("user", user.value())
                .bind("device", device.value())
                .map(row -> new DeviceId(RequiredColumn.of(row, "device_id", String.class)))
                .all()
                .collectList();
    }

    public Mono<Void> delete(TenantId tenant, UserId user, List<DeviceId> devices) {
        return db.sql(DELETE)
                .bind("tenant", tenant.value())
                .bind("user", user.value())
                .bind("devices", devices.stream().map(DeviceId::value).toArray(String[]::new))
                .then();
    }

    /**
     * Notes that the device is in use.
     *
     * @param ip the client's address, or null if it is not known
     */
    public Mono<Void> seen(TenantId tenant, UserId user, DeviceId device, @Nullable String ip) {
        return db.sql(SEEN)
                .bind("tenant", tenant.value())
                .bind("user", user.value())
                .bind("device", device.value())
                .bind("ip", text(ip))
                .bind("now", clock.instant())
                .then();
    }

    private static Object text(@Nullable String value) {
        return value == null ? Parameters.in(R2dbcType.VARCHAR) : Parameters.in(R2dbcType.VARCHAR, value);
    }
}
