package rookery.model.topic;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import rookery.model.event.Membership;
import rookery.model.id.DeviceId;
import rookery.model.id.EventId;
import rookery.model.id.TransactionId;
import rookery.model.id.UserId;

/**
 * What a follower of the room log needs of an event without reading it. As JSON it is one flat object ({@link JsonForm}).
 *
 * @param stateKey null of an event that is not state
 * @param ts origin_server_ts in ms
 * @param transaction in which a client sent it; null for events that the server made
 * @param room the room as the event left it
 * @param membershipChange only of member events: what the subject was to the room and is now
 * @param replaces the state event that it replaced
 * @param redacts the event that it redacted, if it was one of the room
 * @param thread the root of the thread that it is in; null in the main timeline
 * @param url whether the content has a {@code url} at its top level (for the filter contains_url)
 * @param power what push rules ask about the sender's power; null for what holds where nobody set any
 */
public record EventMeta(
        EventId eventId,
        String type,
        UserId sender,
        @Nullable String stateKey,
        long ts,
        @Nullable Transaction transaction,
        RoomAtEvent room,
        @Nullable MembershipChange membershipChange,
        @Nullable ReplacedState replaces,
        @Nullable RedactionTarget redacts,
        @Nullable EventId thread,
        boolean url,
        @Nullable SenderPower power) {

    /** A client's request that sent the event: its device, and the id that the client gave the request (contract.md 2.7). */
    public record Transaction(DeviceId device, TransactionId txn) {}

    /**
     * The room as an event left it.
     *
     * @param visibility history visibility in force at the event (after it, for an event that changes it)
     * @param visibilityBefore only of an event that changes the history visibility: the value before it
     * @param joined number of joined members after it
     * @param invited number of invited members after it
     */
    public record RoomAtEvent(String visibility, @Nullable String visibilityBefore, int joined, int invited) {
        private static final int FEW_MEMBERS_MAX = 20;

        /** After an event that does not change the history visibility. */
        public RoomAtEvent(String visibility, int joined, int invited) {
            this(visibility, null, joined, invited);
        }

        /**
         * Whether so few are in the room or invited to it that who comes and goes is told to everybody, whatever their filter leaves
         * out: in a larger room the few whose names could make up the room's name hardly ever change.
         */
        public boolean hasFewMembers() {
            return joined + invited <= FEW_MEMBERS_MAX;
        }
    }

    /**
     * What a member event makes of its subject, whom its state key names. Both are the same if the member only shows another name or
     * avatar.
     *
     * @param before {@link Membership#LEAVE} for a user whom the room had never heard of
     */
    public record MembershipChange(Membership before, Membership after) {}

    /** The state event that another one replaced, where it stands and the history visibility in force at it. */
    public record ReplacedState(@JsonProperty("event_id") EventId eventId, long pos, String visibility) {}

    /**
     * The event that a redaction redacted.
     *
     * @param pos where it stands; null in entries of early releases, which did not say it
     */
    public record RedactionTarget(EventId eventId, @Nullable Long pos) {}

    /**
     * The sender's power as the event was sent (contract.md 9.5), for push rules.
     *
     * @param level of the sender
     * @param notifications what notifying takes, by kind such as {@code room}; null for 50 each
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record SenderPower(long level, @Nullable Map<String, Long> notifications) {
        /** Levels are copied. */
        public SenderPower {
            notifications = notifications == null ? null : Map.copyOf(notifications);
        }
    }

    /** Begins the meta of an event that the server made, and that is nothing but a message until more is said of it. */
    public static Builder builder(EventId eventId, String type, UserId sender, long ts, RoomAtEvent room) {
        return new Builder(eventId, type, sender, ts, room);
    }

    /** Begins one that is the same as this but for what is set. */
    public Builder toBuilder() {
        return new Builder(eventId, type, sender, ts, room)
                .stateKey(stateKey)
                .transaction(transaction)
                .membershipChange(membershipChange)
                .replaces(replaces)
                .redacts(redacts)
                .thread(thread)
                .url(url)
                .power(power);
    }

    /** The membership after a member event; null for other events. */
    public @Nullable Membership membership() {
        return membershipChange == null ? null : membershipChange.after;
    }

    /** The same of the redacted event: what it says of the content that is gone. */
    public EventMeta redacted() {
        return toBuilder().url(false).build();
    }

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    private static EventMeta of(JsonForm json) {
        return new EventMeta(
                json.eventId,
                json.type,
                json.sender,
                json.stateKey,
                json.ts,
                json.device == null || json.txn == null ? null : new Transaction(json.device, json.txn),
                new RoomAtEvent(json.visibility, json.visibilityBefore, json.joined, json.invited),
                json.membership == null ? null : new MembershipChange(before(json), json.membership),
                json.replaces,
                json.redacts == null ? null : new RedactionTarget(json.redacts, json.redactsPos),
                json.thread,
                json.url,
                json.power);
    }

    private static Membership before(JsonForm json) {
        return json.membershipBefore == null ? Membership.LEAVE : json.membershipBefore;
    }

    @JsonValue
    private JsonForm jsonForm() {
        return new JsonForm(
                eventId,
                type,
                sender,
                stateKey,
                ts,
                transaction == null ? null : transaction.device,
                transaction == null ? null : transaction.txn,
                room.visibility,
                room.visibilityBefore,
                membershipChange == null ? null : membershipChange.after,
                membershipChange == null ? null : membershipChange.before,
                replaces,
                redacts == null ? null : redacts.eventId,
                thread,
                room.joined,
                room.invited,
                url,
                redacts == null ? null : redacts.pos,
                power);
    }

    /**
     * The JSON of it, which stands in stored entries and goes between services of different releases: its names and their order stay
     * as they are, and what is new comes to the end.
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    private record JsonForm(
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
            @Nullable SenderPower power) {}

    /** Makes an {@link EventMeta}; what is not set is as in the meta that it was begun with. */
    public static final class Builder {
        private final EventId eventId;
        private final String type;
        private final UserId sender;
        private final long ts;
        private final RoomAtEvent room;
        private @Nullable String stateKey;
        private @Nullable Transaction transaction;
        private @Nullable MembershipChange membershipChange;
        private @Nullable ReplacedState replaces;
        private @Nullable RedactionTarget redacts;
        private @Nullable EventId thread;
        private boolean url;
        private @Nullable SenderPower power;

        private Builder(EventId eventId, String type, UserId sender, long ts, RoomAtEvent room) {
            this.eventId = eventId;
            this.type = type;
            this.sender = sender;
            this.ts = ts;
            this.room = room;
        }

        public Builder stateKey(@Nullable String value) {
            stateKey = value;
            return this;
        }

        public Builder transaction(@Nullable Transaction value) {
            transaction = value;
            return this;
        }

        public Builder membershipChange(@Nullable MembershipChange value) {
            membershipChange = value;
            return this;
        }

        public Builder replaces(@Nullable ReplacedState value) {
            replaces = value;
            return this;
        }

        public Builder redacts(@Nullable RedactionTarget value) {
            redacts = value;
            return this;
        }

        public Builder thread(@Nullable EventId value) {
            thread = value;
            return this;
        }

        public Builder url(boolean value) {
            url = value;
            return this;
        }

        public Builder power(@Nullable SenderPower value) {
            power = value;
            return this;
        }

        public EventMeta build() {
            return new EventMeta(
                    eventId,
                    type,
                    sender,
                    stateKey,
                    ts,
                    transaction,
                    room,
                    membershipChange,
                    replaces,
                    redacts,
                    thread,
                    url,
                    power);
        }
    }
}
