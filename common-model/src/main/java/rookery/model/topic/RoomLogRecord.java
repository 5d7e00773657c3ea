// SPDX-License-Identifier: Apache-2.0
package rookery.model.topic;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;
import rookery.model.id.EventId;
import rookery.model.id.UserId;

/** Entries of the room log; the {@link LogRecord} has the room and the position. */
public sealed interface RoomLogRecord {
    /** Kind of {@link EventAppended}. */
    String EVENT = "event";
    /** Kind of {@link ReceiptsSet}. */
    String RECEIPT = "receipt";
    /** Kind of {@link ListingSet}. */
    String LISTING = "listing";
    /** Kind of {@link RoomPurged}. */
    String PURGE = "purge";
    /** Kind of {@link DeviceListChanged}. */
    String DEVICE_LIST = "device_list";

    /**
     * An event was appended.
     *
     * @param meta the facts by which followers decide
     * @param eventJson the event for clients, one line, without {@code room_id} and {@code unsigned}
     * @param prevContentJson content of the replaced state event, or null
     * @param strippedStateJson array of stripped events for an invited or knocking subject, or null
     * @param redactedBecauseJson the redaction event in the form of {@code eventJson}, or null
     */
    record EventAppended(
            EventMeta meta,
            String eventJson,
            @Nullable String prevContentJson,
            @Nullable String strippedStateJson,
            @Nullable String redactedBecauseJson)
            implements RoomLogRecord {
        public EventAppended(
                EventMeta meta,
                String eventJson,
                @Nullable String prevContentJson,
                @Nullable String strippedStateJson) {
            this(meta, eventJson, prevContentJson, strippedStateJson, null);
        }
    }

    /**
     * Whether the room is in the tenant's room directory from here on (contract.md 6). The listing is not room state, and clients
     * do not sync it.
     */
    record ListingSet(boolean published) implements RoomLogRecord {}

    /**
     * The room is purged: from here on the room has never existed (contract.md 5.4). Its earlier entries may be missing from the
     * log already.
     *
     * @param by the administrator
     * @param ts time of the request, in ms
     */
    record RoomPurged(UserId by, long ts) implements RoomLogRecord {}

    /**
     * A user's devices or keys have changed: users in shared rooms must query them again. The {@link LogRecord} has no room, and
     * the user as subject.
     *
     * @param rooms hashes of the user's rooms in this shard ({@link rookery.model.id.RoomId#hash}): the entry outlives
     *     purged rooms
     */
    record DeviceListChanged(List<Long> rooms) implements RoomLogRecord {}

    /**
     * Users of the room have read up to here; each receipt replaces the user's earlier receipt of the same type and thread. An
     * entry with a subject has that user's private receipts, and only that user sees them.
     */
    record ReceiptsSet(List<Receipt> receipts) implements RoomLogRecord {}

    /**
     * A user's read receipt.
     *
     * @param pos position of the event
     * @param type {@code m.read} or {@code m.read.private}
     * @param thread {@code main} or the root of a thread; null for an unthreaded receipt
     * @param ts time of the receipt, in ms
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Receipt(
            @JsonProperty("event_id") EventId eventId,
            long pos,
            String type,
            @JsonProperty("user_id") UserId user,
            @Nullable String thread,
            long ts) {}
}
