// SPDX-License-Identifier: Apache-2.0
package rookery.auth.todevice;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.r2dbc.spi.Readable;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.auth.device.TenantDevice;
import rookery.auth.todevice.MessageSet.AddressedMessage;
import rookery.auth.todevice.ToDeviceProperties.Limits;
import rookery.model.id.DeviceId;
import rookery.model.id.Shards;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.model.topic.DeviceLogRecord.ToDeviceSent;
import rookery.platform.log.append.Head;
import rookery.platform.log.text.DeviceLogText;
import rookery.platform.sql.Portions;
import rookery.platform.sql.RequiredColumn;

/**
 * The table of waiting to-device messages, which are entries of the user log. Messages are deleted when the device acknowledges
 * them, with the device, and, oldest first, above the limits of {@link ToDeviceProperties}.
 */
@Component
public class ToDeviceEntries {
    /** The devices for which another message of the sender would exceed the device's or the sender's limits. */
    private static final String FULL = """
            SELECT d.device_id
              FROM unnest(:devices::text[], :bytes::bigint[]) AS d (device_id, bytes)
             CROSS JOIN LATERAL (SELECT count(*) AS messages, coalesce(sum(e.bytes), 0) AS bytes,
                                        count(*) FILTER (WHERE e.sender = :sender) AS sender_messages,
                                        coalesce(sum(e.bytes) FILTER (WHERE e.sender = :sender), 0) AS sender_bytes
                                   FROM auth.to_device_entry e
                                  WHERE e.tenant = :tenant AND e.subject = :user AND e.device_id = d.device_id) w
             WHERE w.messages >= :deviceMessages OR w.bytes + d.bytes > :deviceBytes
                OR w.sender_messages >= :senderMessages OR w.sender_bytes + d.bytes > :senderBytes
            """;

    /**
     * Keeps the newest messages of each sender within the sender's limits, the new message included. Above the device's limits,
     * messages with the fewest newer messages of the same sender are kept: the oldest messages of the sender with the most
     * messages are deleted first. Likewise for bytes.
     */
    private static final String TRIM = """
            WITH waiting AS MATERIALIZED (
                 SELECT e.shard, e.pos, e.device_id, e.bytes, d.bytes AS new_bytes, e.sender = :sender AS of_sender,
                        row_number() OVER newest AS place, sum(e.bytes) OVER newest AS total
                   FROM unnest(:devices::text[], :bytes::bigint[]) AS d (device_id, bytes)
                   JOIN auth.to_device_entry e
                        ON e.tenant = :tenant AND e.subject = :user AND e.device_id = d.device_id
                 WINDOW newest AS (PARTITION BY e.device_id, e.sender ORDER BY e.pos DESC)),
                 counted AS (
                 SELECT shard, pos, device_id, bytes, new_bytes,
                        CASE WHEN of_sender THEN place + 1 ELSE place END AS place,
                        CASE WHEN of_sender THEN total + new_bytes ELSE total END AS total
                   FROM waiting),
                 shared AS (
                 SELECT shard, pos, new_bytes,
                        row_number() OVER (PARTITION BY device_id ORDER BY place, pos DESC) AS place,
                        sum(bytes) OVER (PARTITION BY device_id ORDER BY total, pos DESC) AS total
                   FROM counted WHERE place <= :senderMessages AND total <= :senderBytes)
            DELETE FROM auth.to_device_entry e
             USING waiting w
              LEFT JOIN shared s ON s.shard = w.shard AND s.pos = w.pos
                                    AND s.place < :deviceMessages AND s.total + s.new_bytes <= :deviceBytes
             WHERE e.shard = w.shard AND e.pos = w.pos AND s.pos IS NULL
            """;

    /**
     * One statement, so that head and messages belong to the same snapshot. A page ends with the message that fills the byte
     * limit; row_count is the number of rows before that cut.
     */
    private static final String AFTER = """
            SELECT s.epoch, s.pos AS head, e.pos, e.body, e.row_count
              FROM auth.shard s
              LEFT JOIN (SELECT pos, body, sum(bytes) OVER oldest - bytes AS before, count(*) OVER () AS row_count
                           FROM (SELECT pos, body, bytes FROM auth.to_device_entry
                                  WHERE tenant = :tenant AND subject = :user AND device_id = :device AND pos > :after
                                  ORDER BY pos LIMIT :limit) f
                         WINDOW oldest AS (ORDER BY pos)) e ON e.before < :bytes
             WHERE s.shard = :shard
             ORDER BY e.pos
            """;

    /** Skips locked rows: a concurrent transaction deletes them, or the next acknowledgement does. */
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

    private final DatabaseClient db;
    private final Counter dropped;

    ToDeviceEntries(DatabaseClient db, MeterRegistry meters) {
        this.db = db;
        this.dropped = Counter.builder("to_device_dropped")
                .description("to-device messages that were deleted undelivered, above the limits")
                .register(meters);
    }

    /**
     * Makes room for the messages. A sender above the sender's limits loses the sender's own oldest messages. Above the device's
     * limits, the sender with the most messages loses the oldest.
     */
    Mono<Void> trim(TenantId tenant, UserId user, UserId sender, List<AddressedMessage> messages, Limits limits) {
        return bound(FULL, tenant, user, sender, messages, limits)
                .mapValue(String.class)
                .all()
                .collect(Collectors.toSet())
                .map(full -> messages.stream()
                        .filter(message -> full.contains(message.device().value()))
                        .toList())
                .filter(tooMuch -> !tooMuch.isEmpty())
                .flatMap(tooMuch -> bound(TRIM, tenant, user, sender, tooMuch, limits)
                        .fetch()
                        .rowsUpdated())
                .doOnNext(dropped::increment)
                .then();
    }

    private GenericExecuteSpec bound(
            String sql, TenantId tenant, UserId user, UserId sender, List<AddressedMessage> messages, Limits limits) {
        return db.sql(sql)
                .bind("tenant", tenant)
                .bind("user", user)
                .bind("sender", sender)
                .bind("devices", messages.stream().map(AddressedMessage::device).toArray(DeviceId[]::new))
                .bind(
                        "bytes",
                        messages.stream()
                                .map(message -> (long) message.content().length())
                                .toArray(Long[]::new))
                .bind("deviceMessages", limits.deviceMessages())
                .bind("deviceBytes", limits.deviceBytes().toBytes())
                .bind("senderMessages", limits.senderMessages())
                .bind("senderBytes", limits.senderBytes().toBytes());
    }

    /**
     * The oldest messages after the position, with the end of the user's shard in the same snapshot. At most {@code limit}
     * messages, up to the one that fills {@code bytes}.
     */
    Mono<WaitingMessages> after(TenantDevice device, long after, int limit, long bytes) {
        int shard = Shards.of(device.user());
        return device.bindTo(db.sql(AFTER))
                .bind("after", after)
                .bind("limit", limit)
                .bind("bytes", bytes)
                .bind("shard", shard)
                .map(row -> EntryRow.of(row, shard))
                .all()
                .collectList()
                .map(rows -> waiting(rows, limit));
    }

    private static WaitingMessages waiting(List<EntryRow> rows, int limit) {
        var messages =
                rows.stream().map(EntryRow::message).filter(Objects::nonNull).toList();
        long rowCount = rows.getFirst().rowCount;
        return new WaitingMessages(rows.getFirst().head, messages, rowCount == limit || rowCount > messages.size());
    }

    /** Deletes acknowledged messages; acknowledgements of another epoch than the log's delete nothing. */
    Mono<Void> acknowledge(List<Acknowledgement> all) {
        return Portions.each(
                all,
                some -> db.sql(ACKNOWLEDGE)
                        .bind(
                                "tenants",
                                some.stream().map(a -> a.device.tenant()).toArray(TenantId[]::new))
                        .bind("users", some.stream().map(a -> a.device.user()).toArray(UserId[]::new))
                        .bind(
                                "devices",
                                some.stream().map(a -> a.device.device()).toArray(DeviceId[]::new))
                        .bind(
                                "epochs",
                                some.stream().map(Acknowledgement::epoch).toArray(Long[]::new))
                        .bind(
                                "positions",
                                some.stream().map(Acknowledgement::pos).toArray(Long[]::new))
                        .then());
    }

    /** For deleted devices: deletes the messages before the position of the deletion. */
    public Mono<Void> deleteBefore(long pos, TenantId tenant, UserId user, List<DeviceId> devices) {
        return db.sql(DELETE)
                .bind("tenant", tenant)
                .bind("user", user)
                .bind("devices", devices.toArray(DeviceId[]::new))
                .bind("pos", pos)
                .then();
    }

    /** The device has received all messages up to a position of its user's shard. */
    record Acknowledgement(TenantDevice device, long epoch, long pos) {}

    /**
     * Messages in order, with the end of the shard.
     *
     * @param cut whether more messages may follow
     */
    record WaitingMessages(Head head, List<WaitingMessage> messages, boolean cut) {}

    record WaitingMessage(long pos, ToDeviceSent sent) {}

    private record EntryRow(Head head, @Nullable WaitingMessage message, long rowCount) {
        static EntryRow of(Readable row, int shard) {
            var head = new Head(
                    shard, RequiredColumn.of(row, "epoch", Long.class), RequiredColumn.of(row, "head", Long.class));
            String body = row.get("body", String.class);
            return new EntryRow(
                    head,
                    body == null
                            ? null
                            : new WaitingMessage(
                                    RequiredColumn.of(row, "pos", Long.class), DeviceLogText.message(body)),
                    Objects.requireNonNullElse(row.get("row_count", Long.class), 0L));
        }
    }
}
