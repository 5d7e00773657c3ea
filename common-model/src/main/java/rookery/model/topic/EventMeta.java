// SPDX-License-Identifier: Apache-2.0
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
 * The parts of an event that followers of the room log need without parsing the event. The JSON is one flat object
 * ({@link JsonForm}).
 *
 * @param stateKey null for an event that is not state
 * @param ts origin_server_ts in ms
 * @param transaction the client's transaction; null for events that the server created
 * @param room the room after the event
 * @param membershipChange only of member events: the subject's membership before and after
 * @param replaces the replaced state event
 * @param redacts the redacted event, if it is in the room
 * @param thread the root of the event's thread; null in the main timeline
 * @param url whether the content has a top-level {@code url}, for the filter contains_url
 * @param power the sender's power for push rules; null for the defaults of a room without power levels
 * @param delayId of an event that was sent later than its request; null for other events
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
        @Nullable SenderPower power,
        @Nullable String delayId) {

    /** The transaction of a client's request: device and transaction id (contract.md 2.7). */
    public record Transaction(DeviceId device, TransactionId txn) {}

    /**
     * The room after an event.
     *
     * @param visibility history visibility in force at the event (after an event that changes it)
     * @param visibilityBefore only of an event that changes the history visibility: the value before
     * @param joined number of joined members
     * @param invited number of invited members
     */
    public record RoomAtEvent(String visibility, @Nullable String visibilityBefore, int joined, int invited) {
        private static final int FEW_MEMBERS_MAX = 20;

        /** Creates the room after an event that does not change the history visibility. */
        public RoomAtEvent(String visibility, int joined, int invited) {
            this(visibility, null, joined, invited);
        }

        /**
         * Whether the room is so small that membership changes reach all members, regardless of their filters. In a larger room,
         * the members whose names form the room's name hardly ever change.
         */
        public boolean hasFewMembers() {
            return joined + invited <= FEW_MEMBERS_MAX;
        }
    }

    /**
     * A member event's effect on its subject, the user in its state key. Both are equal if only the displayname or
     * avatar changes.
     *
     * @param before {@link Membership#LEAVE} for a user without an earlier member event
     */
    public record MembershipChange(Membership before, Membership after) {}

    /** The replaced state event, its position and the history visibility in force at it. */
    public record ReplacedState(@JsonProperty("event_id") EventId eventId, long pos, String visibility) {}

    /**
     * The target of a redaction.
     *
     * @param pos its position; null in entries of early releases
     */
    public record RedactionTarget(EventId eventId, @Nullable Long pos) {}

    /**
     * The sender's power level at the event (contract.md 9.5), for push rules.
     *
     * @param level the sender's level
     * @param notifications the levels required to notify, by kind such as {@code room}; null for 50 each
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record SenderPower(long level, @Nullable Map<String, Long> notifications) {
        public SenderPower {
            notifications = notifications == null ? null : Map.copyOf(notifications);
        }
    }

    /** Begins the meta of a message event that the server created. */
    public static Builder builder(EventId eventId, String type, UserId sender, long ts, RoomAtEvent room) {
        return new Builder(
                new EventMeta(eventId, type, sender, null, ts, null, room, null, null, null, null, false, null, null));
    }

    public Builder toBuilder() {
        return new Builder(this);
    }

    /** The membership after a member event; null for other events. */
    public @Nullable Membership membership() {
        return membershipChange == null ? null : membershipChange.after;
    }

    /** Returns the meta of the redacted event: without the facts of its content. */
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
                json.power,
                json.delayId);
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
                power,
                delayId);
    }

    /**
     * The JSON form, which is stored in entries and exchanged between releases. Names and order are fixed, and additions go to
     * the end.
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
            @Nullable SenderPower power,
            @JsonProperty("delay_id") @Nullable String delayId) {}

    /** Builds an {@link EventMeta}; unset parts keep their initial values. */
    public static final class Builder {
        private final EventMeta original;
        private @Nullable String stateKey;
        private @Nullable Transaction transaction;
        private @Nullable MembershipChange membershipChange;
        private @Nullable ReplacedState replaces;
        private @Nullable RedactionTarget redacts;
        private @Nullable EventId thread;
        private boolean url;
        private @Nullable SenderPower power;

        private Builder(EventMeta original) {
            this.original = original;
            this.stateKey = original.stateKey;
            this.transaction = original.transaction;
            this.membershipChange = original.membershipChange;
            this.replaces = original.replaces;
            this.redacts = original.redacts;
            this.thread = original.thread;
            this.url = original.url;
            this.power = original.power;
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
                    original.eventId,
                    original.type,
                    original.sender,
                    stateKey,
                    original.ts,
                    transaction,
                    original.room,
                    membershipChange,
                    replaces,
                    redacts,
                    thread,
                    url,
                    power,
                    original.delayId);
        }
    }
}
