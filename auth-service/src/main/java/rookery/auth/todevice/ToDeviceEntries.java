package rookery.auth.todevice;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.r2dbc.spi.Readable;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.auth.device.TenantDevice;
import rookery.model.id.DeviceId;
import rookery.model.id.Shards;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.model.topic.DeviceLogRecord.ToDeviceSent;
import rookery.platform.log.DeviceLogText;
import rookery.platform.log.Head;
import rookery.platform.sql.Portions;
import rookery.platform.sql.RequiredColumn;

/**
 * The messages that wait for devices: entries of the user log, which the log appends. They are deleted when the device has them, with
 * the device, and the oldest where more than 10,000 wait.
 */
@Component
public class ToDeviceEntries {
    private static final String TRIM = """
            WITH oldest AS MATERIALIZED (
                 SELECT d.device_id,
                        (SELECT q.pos FROM auth.to_device_entry q
                          WHERE q.tenant = :tenant AND q.subject = :user AND q.device_id = d.device_id
                          ORDER BY q.pos DESC OFFSET :kept LIMIT 1) AS upto
                   FROM unnest(:devices::text[]) AS d (device_id))
            DELETE FROM auth.to_device_entry e
             USING oldest o
             WHERE e.tenant = :tenant AND e.subject = :user AND e.device_id = o.device_id AND e.pos <= o.upto
            """;

    /** One statement, so that it is as of one moment. */
    private static final String AFTER = """
            SELECT s.epoch, s.pos AS head, e.pos, e.body
              FROM auth.shard s
              LEFT JOIN (SELECT pos, body FROM auth.to_device_entry
                          WHERE tenant = :tenant AND subject = :user AND device_id = :device AND pos > :after
                          ORDER BY pos LIMIT :limit) e ON true
             WHERE s.shard = :shard
             ORDER BY e.pos
            """;

    /** What somebody else deletes just now is passed by: it goes anyway, or with the next acknowledgement. */
    private static final String ACKNOWLEDGE = """
            WITH gone AS (SELECT e.shard, e.pos
                            FROM unnest(:tenants::int[], :users::text[], :devices::text[], :epochs::bigint[],
                                        :positions::bigint[]) AS a (tenant, user_id, device_id, epoch, pos)
                            JOIN auth.to_device_entry e
                                 ON e.tenant = a.tenant AND e.subject = a.user_id AND e.device_id = a.device_id
                                    AND e.pos <= a.pos
                            JOIN auth.shard s ON s.shard = e.shard AND s.epoch = a.epoch
                             FOR UPDATE OF e SKIP LOCKED)
            DELETE FROM auth.to_device_entry e USING gone g WHERE e.shard = g.shard AND e.pos = g.pos
            """;

    private static final String DELETE = """
            DELETE FROM auth.to_device_entry
             WHERE tenant = :tenant AND subject = :user AND device_id = ANY(:devices) AND pos < :pos
            """;

    /** Of a device. */
    static final int WAITING_MAX = 10_000;

    private final DatabaseClient db;
    private final Counter dropped;

    ToDeviceEntries(DatabaseClient db, MeterRegistry meters) {
        this.db = db;
        this.dropped = Counter.builder("to_device_dropped")
                .description("messages to devices that were deleted unread, because more than 10,000 waited")
                .register(meters);
    }

    /** Makes room for one more message to each of the devices. */
    Mono<Void> trim(TenantId tenant, UserId user, List<DeviceId> devices) {
        return db.sql(TRIM)
                .bind("tenant", tenant.value())
                .bind("user", user.value())
                .bind("devices", ids(devices))
                .bind("kept", WAITING_MAX - 1)
                .fetch()
                .rowsUpdated()
                .doOnNext(dropped::increment)
                .then();
    }

    /** The oldest messages after a position, and where the user's shard ended just then. */
    Mono<WaitingMessages> after(TenantDevice device, long after, int limit) {
        int shard = Shards.of(device.user());
        return db.sql(AFTER)
                .bind("tenant", device.tenant().value())
                .bind("user", device.user().value())
                .bind("device", device.device().value())
                .bind("after", after)
                .bind("limit", limit)
                .bind("shard", shard)
                .map(row -> Row.of(row, shard))
                .all()
                .collectList()
                .map(rows -> new WaitingMessages(
                        rows.getFirst().head,
                        rows.stream().map(Row::message).filter(Objects::nonNull).toList()));
    }

    /** Deletes what devices have; what is said of another epoch than the log's deletes nothing. */
    Mono<Void> acknowledge(List<Acknowledgement> all) {
        return Portions.each(
                all,
                some -> db.sql(ACKNOWLEDGE)
                        .bind(
                                "tenants",
                                some.stream()
                                        .map(a -> a.device.tenant().value())
                                        .toArray(Integer[]::new))
                        .bind(
                                "users",
                                some.stream().map(a -> a.device.user().value()).toArray(String[]::new))
                        .bind(
                                "devices",
                                some.stream()
                                        .map(a -> a.device.device().value())
                                        .toArray(String[]::new))
                        .bind(
                                "epochs",
                                some.stream().map(Acknowledgement::epoch).toArray(Long[]::new))
                        .bind(
                                "positions",
                                some.stream().map(Acknowledgement::pos).toArray(Long[]::new))
                        .then());
    }

    /** For devices that end: what came before a position, at which that is told. */
    public Mono<Void> deleteBefore(long pos, TenantId tenant, UserId user, List<DeviceId> devices) {
        return db.sql(DELETE)
                .bind("tenant", tenant.value())
                .bind("user", user.value())
                .bind("devices", ids(devices))
                .bind("pos", pos)
                .then();
    }

    private static String[] ids(List<DeviceId> devices) {
        return devices.stream().map(DeviceId::value).toArray(String[]::new);
    }

    /** A device has all up to a position of its user's shard. */
    record Acknowledgement(TenantDevice device, long epoch, long pos) {}

    /** Messages in their order, and where the shard ended. */
    record WaitingMessages(Head head, List<Message> messages) {}

    record Message(long pos, ToDeviceSent sent) {}

    private record Row(Head head, @Nullable Message message) {
        static Row of(Readable row, int shard) {
            var head = new Head(
                    shard, RequiredColumn.of(row, "epoch", Long.class), RequiredColumn.of(row, "head", Long.class));
            String body = row.get("body", String.class);
            return new Row(
                    head,
                    body == null
                            ? null
                            : new Message(RequiredColumn.of(row, "pos", Long.class), DeviceLogText.message(body)));
        }
    }
}
