// SPDX-License-Identifier: Apache-2.0
package rookery.platform.transfer;

import java.util.Map;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.Shards;
import rookery.model.id.TenantId;
import rookery.model.topic.RoomLogRecord;
import rookery.platform.transfer.TransferTable.PositionColumn;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Gives exported rows the tenant number and the positions of the installation into which they are imported: in columns, and in
 * bodies of the room log, which name positions of events.
 *
 * @param ownLog the log of this service; empty for a service without one
 * @param logs by name
 */
record MovedRows(TenantId tenant, String ownLog, Map<String, LogOffsets> logs) {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final String POS = "pos";

    /** Changes the row in place. M_BAD_JSON for a row without the columns that its shard follows from. */
    void move(TransferTable table, ObjectNode row) {
        row.put("tenant", tenant.value());
        table.falseColumns().forEach(column -> row.put(column, false));
        for (var column : table.positions()) {
            move(column, row);
        }
        if (ownLog.equals(LogOffsets.ROOM_LOG)) {
            moveBody(table, row);
        }
    }

    private void move(PositionColumn column, ObjectNode row) {
        var value = row.path(column.name());
        if (!value.isNumber() || value.asLong() == Long.MAX_VALUE) { // the end of a state that is in force
            return;
        }
        var log = column.log().isEmpty() ? ownLog : column.log();
        var base = offsets(log);
        row.put(
                column.name(),
                column.name().equals("epoch")
                        ? base.epoch()
                        : value.asLong() + base.offsets().get(shard(log, row)));
    }

    private LogOffsets offsets(String log) {
        var offsets = logs.get(log);
        if (offsets == null) {
            throw new ApiException(ErrorCode.M_BAD_JSON, "logs lacks the " + log);
        }
        return offsets;
    }

    /** The shard of the room, or of the user. */
    private int shard(String log, ObjectNode row) {
        if (log.equals(ownLog) && row.path("shard").isInt()) {
            return row.path("shard").asInt();
        }
        var id = row.path(log.equals(LogOffsets.ROOM_LOG) ? "room_id" : "user_id");
        if (!id.isString()) {
            throw new ApiException(ErrorCode.M_BAD_JSON, "a row has no id of a room or user");
        }
        return Shards.of(id.asString());
    }

    private void moveBody(TransferTable table, ObjectNode row) {
        var body = row.path("body").asString("");
        long base = body.isEmpty() ? 0 : offsets(ownLog).offsets().get(shard(ownLog, row));
        switch (table.name()) {
            case "log_entry" -> {
                if (row.path("kind").asString().equals(RoomLogRecord.EVENT)) {
                    row.put("body", movedEvent(body, base));
                }
            }
            case "original" -> row.put("body", movedEvent(body, base));
            case "receipt_entry" -> row.put("body", movedReceipts(body, base));
            default -> {
                // no other body names a position
            }
        }
    }

    /** The first line has the positions of the event that was replaced and of the one that was redacted. */
    private static String movedEvent(String body, long base) {
        int end = body.indexOf('\n');
        var meta = (ObjectNode) JSON.readTree(body.substring(0, end));
        add(meta, "redacts_pos", base);
        if (meta.path("replaces") instanceof ObjectNode replaced) {
            add(replaced, POS, base);
        }
        return JSON.writeValueAsString(meta) + body.substring(end);
    }

    private static String movedReceipts(String body, long base) {
        var receipts = (ArrayNode) JSON.readTree(body);
        for (JsonNode receipt : receipts) {
            add((ObjectNode) receipt, POS, base);
        }
        return JSON.writeValueAsString(receipts);
    }

    private static void add(ObjectNode object, String name, long base) {
        if (object.path(name).isNumber()) {
            object.put(name, object.path(name).asLong() + base);
        }
    }
}
