// SPDX-License-Identifier: Apache-2.0
package rookery.room.delayed;

import io.r2dbc.spi.Readable;
import org.jspecify.annotations.Nullable;
import rookery.model.id.DeviceId;
import rookery.model.id.EventId;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.TenantRoom;
import rookery.model.id.UserId;
import rookery.platform.http.JsonBody;
import rookery.platform.json.StrictJson;
import rookery.platform.sql.RequiredColumn;
import rookery.room.table.DelayedEvents;

/**
 * A row of {@code room.delayed_event}.
 *
 * @param number the order of events that are due at the same time
 * @param stateKey null for a message event
 * @param finishedMillis null while the event is scheduled
 * @param event the id of a sent event
 * @param error of a refused event, one line of JSON
 */
record ScheduledEvent(
        DelayedEvents.Key key,
        long number,
        UserId user,
        DeviceId device,
        RoomId room,
        String type,
        @Nullable String stateKey,
        String content,
        long delayMillis,
        long dueMillis,
        @Nullable Long finishedMillis,
        @Nullable EventId event,
        @Nullable String error) {
    static ScheduledEvent of(Readable row) {
        return new ScheduledEvent(
                new DelayedEvents.Key(
                        RequiredColumn.of(row, "tenant", TenantId.class),
                        RequiredColumn.of(row, "delay_id", String.class)),
                RequiredColumn.of(row, "number", Long.class),
                RequiredColumn.of(row, "user_id", UserId.class),
                RequiredColumn.of(row, "device_id", DeviceId.class),
                RequiredColumn.of(row, "room_id", RoomId.class),
                RequiredColumn.of(row, "type", String.class),
                row.get("state_key", String.class),
                RequiredColumn.of(row, "content", String.class),
                RequiredColumn.of(row, "delay_ms", Long.class),
                RequiredColumn.of(row, "due_ms", Long.class),
                row.get("finished_ms", Long.class),
                row.get("event_id", EventId.class),
                row.get("error", String.class));
    }

    TenantRoom tenantRoom() {
        return new TenantRoom(key.tenant(), room);
    }

    JsonBody body() {
        return new JsonBody(StrictJson.object(content));
    }

    boolean isScheduled() {
        return finishedMillis == null;
    }

    boolean isSent() {
        return event != null;
    }
}
