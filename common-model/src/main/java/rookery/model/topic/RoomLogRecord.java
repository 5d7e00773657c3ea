package rookery.model.topic;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import rookery.model.event.Membership;
import rookery.model.id.DeviceId;
import rookery.model.id.EventId;
import rookery.model.id.TransactionId;
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
     * What a follower needs of an event without reading it.
     *
     * @param ts origin_server_ts in ms
     * @param device the sending device, with {@code txn}; null for events that the server made
     * @param visibility history visibility in force at the event (after it, for an event that changes it)
     * @param visibilityBefore only of an event that changes the history visibility: the value before it
     * @param membership only of member events: the membership after it
     * @param membershipBefore only of member events: the membership before it
     * @param replaces the state event that it replaced
     * @param redacts the event that it redacted, if it was one of the room
     * @param thread the root of the thread that it is in; null in the main timeline
     * @param joined number of joined members after it
     * @param invited number of invited members after it
     * @param url whether the content has a {@code url} at its top level (for the filter contains_url)
     * @param redactsPos where the event stands that it redacted
     * @param power what push rules ask about the sender's power; null for what holds where nobody set any
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record EventMeta(
            @JsonProperty("event_id") EventId eventId,
            String type,
            UserId sender,
            @JsonProperty("state_key") @Nullable String stateKey,
            long ts,
            @Nullable DeviceId device,
            @Nullable TransactionId txn,
            String visibility,
            @JsonProperty("visibility_before") @Nullable String visibilityBefore,
            @Nullable Membership membership,
            @JsonProperty("membership_before") @Nullable Membership membershipBefore,
            @Nullable ReplacedState replaces,
            @Nullable EventId redacts,
            @Nullable EventId thread,
            int joined,
            int invited,
            boolean url,
            @JsonProperty("redacts_pos") @Nullable Long redactsPos,
            @Nullable SenderPower power) {
        private static final int FEW_MEMBERS_MAX = 20;

        /** One that redacts nothing, by a sender without power. */
        public EventMeta(
                EventId eventId,
                String type,
                UserId sender,
                @Nullable String stateKey,
                long ts,
                @Nullable DeviceId device,
                @Nullable TransactionId txn,
                String visibility,
                @Nullable String visibilityBefore,
                @Nullable Membership membership,
                @Nullable Membership membershipBefore,
                @Nullable ReplacedState replaces,
                @Nullable EventId redacts,
                @Nullable EventId thread,
                int joined,
                int invited,
                boolean url) {
            this(
                    eventId,
                    type,
                    sender,
                    stateKey,
                    ts,
                    device,
                    txn,
                    visibility,
                    visibilityBefore,
                    membership,
                    membershipBefore,
                    replaces,
                    redacts,
                    thread,
                    joined,
                    invited,
                    url,
                    null,
                    null);
        }

        /**
         * Whether so few are in the room or invited to it that who comes and goes is told to everybody, whatever their filter leaves
         * out: in a larger room the few whose names could make up the room's name hardly ever change.
         */
        public boolean hasFewMembers() {
            return joined + invited <= FEW_MEMBERS_MAX;
        }

        /** The same of the redacted event: what it says of the content that is gone. */
        public EventMeta redacted() {
            return new EventMeta(
                    eventId,
                    type,
                    sender,
                    stateKey,
                    ts,
                    device,
                    txn,
                    visibility,
                    visibilityBefore,
                    membership,
                    membershipBefore,
                    replaces,
                    redacts,
                    thread,
                    joined,
                    invited,
                    false,
                    redactsPos,
                    power);
        }
    }

    /**
     * The sender's power as the event was sent (contract.md 9.5), for push rules.
     *
     * @param level of the sender
     * @param notifications what notifying takes, by kind such as {@code room}; null for 50 each
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record SenderPower(long level, @Nullable Map<String, Long> notifications) {
        /** Levels are copied. */
        public SenderPower {
            notifications = notifications == null ? null : Map.copyOf(notifications);
        }
    }

    /** The state event that another one replaced, where it stands and the history visibility in force at it. */
    record ReplacedState(@JsonProperty("event_id") EventId eventId, long pos, String visibility) {}

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
