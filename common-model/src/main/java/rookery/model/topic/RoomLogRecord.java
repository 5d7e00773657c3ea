package rookery.model.topic;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;
import rookery.model.id.EventId;
import rookery.model.id.UserId;

/** What the room log tells; the room and the position are the {@link LogRecord}'s. */
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
     * @param meta what followers decide by
     * @param eventJson the event as clients get it, one line, without {@code room_id} and {@code unsigned}
     * @param prevContentJson content of the state event that it replaced, or null
     * @param strippedStateJson array of stripped events for an invited or knocking subject, or null
     * @param redactedBecauseJson the event that redacted this one, as {@code eventJson} has it, or null
     */
    record EventAppended(
            EventMeta meta,
            String eventJson,
            @Nullable String prevContentJson,
            @Nullable String strippedStateJson,
            @Nullable String redactedBecauseJson)
            implements RoomLogRecord {
        /** One that is not redacted. */
        public EventAppended(
                EventMeta meta,
                String eventJson,
                @Nullable String prevContentJson,
                @Nullable String strippedStateJson) {
            this(meta, eventJson, prevContentJson, strippedStateJson, null);
        }
    }

    /**
     * Whether the room is in the tenant's room directory from here on (contract.md 6). It is no state of the room: no client syncs it.
     */
    record ListingSet(boolean published) implements RoomLogRecord {}

    /**
     * The room is gone, and everything in it: from here on it is as if there had never been one (contract.md 5.4). What was in it
     * before may be missing from the log already.
     *
     * @param by the administrator who asked for it
     * @param ts when that was, in ms
     */
    record RoomPurged(UserId by, long ts) implements RoomLogRecord {}

    /**
     * Devices or keys of a user are others: who shares one of these rooms must ask for them again. The {@link LogRecord} names no room,
     * and the user as its subject.
     *
     * @param rooms those of the shard that the user was in, by their hash ({@link rookery.model.id.RoomId#hash}): the entry outlives
     *     rooms that are purged
     */
    record DeviceListChanged(List<Long> rooms) implements RoomLogRecord {}

    /**
     * Users of the room have read up to here; each receipt replaces the user's earlier one of the same type and thread. An entry
     * with a subject holds private receipts of that user, and is shown to nobody else.
     */
    record ReceiptsSet(List<Receipt> receipts) implements RoomLogRecord {}

    /**
     * How far a user has read.
     *
     * @param pos where the event stands that was read
     * @param type {@code m.read} or {@code m.read.private}
     * @param thread {@code main} or the root of a thread; null for the room whatever its threads
     * @param ts when the user said so, in ms
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
