// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.load;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import rookery.e2e.checking.ShardLine;
import rookery.e2e.running.Databases;

/**
 * An audit of all positions that a log assigned since the audit began. The product deletes entries whose receipts are all
 * superseded from the room log, and acknowledged to-device messages from the user log. A trigger keeps deleted entries, so that
 * the audit can tell such deletions from gaps: a position is accounted for when its entry exists, or was deleted and contained
 * only receipts with a later successor, or was a to-device message.
 */
public final class PositionAudit {
    private static final String BEGIN = """
            CREATE TABLE IF NOT EXISTS %1$s.deleted_entry (LIKE %1$s.log_entry);
            CREATE TABLE IF NOT EXISTS %1$s.audit (audit bigint, shard int, pos bigint);
            CREATE OR REPLACE FUNCTION %1$s.keep_deleted_entry() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
                INSERT INTO %1$s.deleted_entry
                    SELECT (jsonb_populate_record(NULL::%1$s.deleted_entry, to_jsonb(OLD))).*;
                RETURN NULL;
            END
            $$;
            CREATE OR REPLACE TRIGGER keep_deleted_entry AFTER DELETE ON %1$s.%3$s
                FOR EACH ROW EXECUTE FUNCTION %1$s.keep_deleted_entry();
            """;

    private static final String NOTE = """
            INSERT INTO %1$s.audit
            SELECT coalesce((SELECT max(audit) FROM %1$s.audit), 0) + 1, shard, pos FROM %1$s.shard
            RETURNING audit
            """;

    /** {@code deploy/e2e/to-device} checks the delivery of these messages. */
    private static final String MESSAGES_TO_DEVICES =
            "SELECT d.shard, d.pos FROM auth.deleted_entry d WHERE d.kind = 'to_device'";

    private static final String SUPERSEDED_RECEIPTS = """
            SELECT d.shard, d.pos FROM room.deleted_entry d
             WHERE d.kind = 'receipt'
               AND NOT EXISTS (SELECT 1 FROM jsonb_array_elements(d.body::jsonb) e
                                WHERE NOT EXISTS (SELECT 1 FROM room.receipt r
                                                   WHERE r.tenant = d.tenant AND r.room_id = d.room_id
                                                     AND r.user_id = e->>'user_id' AND r.type = e->>'type'
                                                     AND r.thread = coalesce(e->>'thread', '') AND r.pos > d.pos))
            """;

    private static final String SHARDS = """
            WITH rightly_deleted AS (%2$s)
            SELECT s.shard, s.pos,
                   ARRAY(SELECT p FROM generate_series(a.pos + 1, s.pos) p
                          WHERE NOT EXISTS (SELECT 1 FROM %1$s.log e WHERE e.shard = s.shard AND e.pos = p)
                            AND NOT EXISTS (SELECT 1 FROM rightly_deleted d WHERE d.shard = s.shard AND d.pos = p)
                          ORDER BY p LIMIT 10) AS missing,
                   (SELECT coalesce(max(e.pos), 0) FROM %1$s.log e WHERE e.shard = s.shard) AS highest,
                   (SELECT e.unit_end FROM %1$s.log e WHERE e.shard = s.shard AND e.pos = s.pos) AS ends_unit
              FROM %1$s.shard s JOIN %1$s.audit a ON a.shard = s.shard AND a.audit = ?
             ORDER BY s.shard
            """;

    private static final String DELETED = """
            SELECT count(*) FROM (%2$s) d JOIN %1$s.audit a ON a.shard = d.shard AND a.audit = ? AND d.pos > a.pos
            """;

    private final Databases databases;
    private final String log;
    private final String service;
    private final String rightlyDeleted;
    private final String deletedFrom;
    private final long audit;

    /**
     * @param rightlyDeleted a query for the shard and position of permitted deletions
     * @param deletedFrom the table with the trigger
     */
    private PositionAudit(Databases databases, String log, String service, String rightlyDeleted, String deletedFrom)
            throws SQLException {
        this.databases = databases;
        this.log = log;
        this.service = service;
        this.rightlyDeleted = rightlyDeleted;
        this.deletedFrom = deletedFrom;
        databases.database(service).execute(sql(BEGIN));
        this.audit = note();
    }

    /** Starts audits of both logs at their current heads. */
    static List<PositionAudit> begin(Databases databases) {
        try {
            return List.of(
                    new PositionAudit(databases, "room", "room-service", SUPERSEDED_RECEIPTS, "receipt_entry"),
                    new PositionAudit(databases, "user", "auth-service", MESSAGES_TO_DEVICES, "to_device_entry"));
        } catch (SQLException e) {
            throw new IllegalStateException("the positions of the logs cannot be audited", e);
        }
    }

    /** All shards, read in one snapshot. */
    List<ShardLine> shards() {
        var database = databases.database(service);
        try (var connection = database.connect();
                var query = connection.prepareStatement(sql(SHARDS))) {
            query.setLong(1, audit);
            var lines = new ArrayList<ShardLine>();
            try (var rows = query.executeQuery()) {
                while (rows.next()) {
                    lines.add(new ShardLine(
                            log,
                            rows.getInt("shard"),
                            rows.getLong("pos"),
                            List.of((Long[]) rows.getArray("missing").getArray()),
                            rows.getLong("highest"),
                            rows.getObject("ends_unit", Boolean.class)));
                }
            }
            return lines;
        } catch (SQLException e) {
            throw new IllegalStateException("the shards of the %s log cannot be read".formatted(log), e);
        }
    }

    /** The number of permitted deletions of entries written since the audit began. */
    long rightlyDeleted() {
        try (var connection = databases.database(service).connect();
                var query = connection.prepareStatement(sql(DELETED))) {
            query.setLong(1, audit);
            try (var rows = query.executeQuery()) {
                rows.next();
                return rows.getLong(1);
            }
        } catch (SQLException e) {
            throw new IllegalStateException("what was deleted from the %s log cannot be read".formatted(log), e);
        }
    }

    private long note() throws SQLException {
        try (var connection = databases.database(service).connect();
                var statement = connection.createStatement();
                var rows = statement.executeQuery(sql(NOTE))) {
            rows.next();
            return rows.getLong(1);
        }
    }

    private String sql(String template) {
        var schema = Objects.requireNonNull(databases.database(service).username());
        return template.formatted(schema, rightlyDeleted, deletedFrom);
    }
}
