// SPDX-License-Identifier: Apache-2.0
package rookery.room.delayed;

import org.jspecify.annotations.Nullable;
import rookery.model.caller.Caller;
import rookery.model.id.RoomId;
import rookery.model.id.TenantRoom;
import rookery.model.id.TransactionId;
import rookery.platform.http.JsonBody;
import rookery.platform.json.CanonicalJson;
import rookery.room.transaction.TransactionKey;

/**
 * A request to send an event later.
 *
 * @param stateKey null for a message event
 * @param txn null for state, whose requests have no transaction id
 */
record ScheduleRequest(
        Caller caller,
        TenantRoom room,
        String type,
        @Nullable String stateKey,
        JsonBody content,
        long delayMillis,
        @Nullable TransactionKey txn) {
    static ScheduleRequest event(
            Caller caller, RoomId room, String type, @Nullable String stateKey, JsonBody content, long delayMillis) {
        var key = new TenantRoom(caller.tenant(), room);
        return new ScheduleRequest(caller, key, type, stateKey, content, delayMillis, null);
    }

    ScheduleRequest with(TransactionId txnId) {
        var request = "delay " + room.room().value() + " " + type;
        var key = new TransactionKey(caller.tenant(), caller.user(), caller.device(), request, txnId);
        return new ScheduleRequest(caller, room, type, stateKey, content, delayMillis, key);
    }

    String contentText() {
        return CanonicalJson.write(content.json());
    }
}
