// SPDX-License-Identifier: Apache-2.0
package rookery.room.draft;

import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import rookery.model.event.EventTypes;
import rookery.model.id.EventId;
import rookery.model.id.RoomId;
import rookery.model.id.TenantRoom;
import rookery.model.id.UserId;
import rookery.room.authorization.Candidate;
import rookery.room.inbox.ShownProfile;
import rookery.room.table.BanCopies;
import rookery.room.table.DelayedEvents;
import rookery.room.transaction.TransactionKey;
import tools.jackson.databind.node.ObjectNode;

/** A requested change of a room, checked without the room and not judged yet. */
public sealed interface RoomDraft {
    TenantRoom room();

    UserId sender();

    /** The draft that the rules judge. */
    default RoomDraft judged() {
        return this;
    }

    /** A draft that may be appended later: an event or a membership as a client sends it. */
    sealed interface Delayable extends RoomDraft permits OfEvent, OfRedaction, OfMember {}

    /**
     * A delayed event, appended if the event is still scheduled under the lock (contract.md 8.5).
     *
     * @param dueMillis the time at which the event was due when the draft was made; a restarted event is not appended. Null for an
     *     event that is sent before the time; the event then stays scheduled if the rules refuse the draft
     */
    record OfDelayed(DelayedEvents.Key key, @Nullable Long dueMillis, Delayable judged) implements RoomDraft {
        @Override
        public TenantRoom room() {
            return judged.room();
        }

        @Override
        public UserId sender() {
            return judged.sender();
        }
    }

    /** A draft of an event whose content comes from a client. */
    sealed interface SentEvent extends RoomDraft {
        @Nullable
        TransactionKey txn();

        Candidate candidate();
    }

    /** A message event without a state key, or a state event other than a member event; event ids precede the transaction. */
    record OfEvent(
            TenantRoom room,
            UserId sender,
            EventId id,
            String type,
            @Nullable String stateKey,
            ObjectNode content,
            EventText text,
            @Nullable TransactionKey txn)
            implements SentEvent, Delayable {
        @Override
        public Candidate candidate() {
            return new Candidate(type, stateKey, sender, content);
        }
    }

    /**
     * A redaction of an event (contract.md 9.6).
     *
     * @param content of the redaction; names the target, too
     * @param seen whether the sender could see the target when the request came; visibility does not end while the
     *     sender stays in the room
     * @param admin whether the sender is an administrator of the tenant
     */
    record OfRedaction(
            TenantRoom room,
            UserId sender,
            EventId id,
            EventId target,
            ObjectNode content,
            EventText text,
            boolean seen,
            boolean admin,
            @Nullable TransactionKey txn)
            implements SentEvent, Delayable {
        @Override
        public Candidate candidate() {
            return new Candidate(EventTypes.REDACTION, null, sender, content);
        }
    }

    /**
     * A change of a membership (contract.md 8.3).
     *
     * @param extra further content of the event, such as {@code reason} and {@code is_direct}
     * @param restrictionMet whether the target is in a room whose members a restricted join rule lets in
     * @param profile the target's profile, as auth-service answered before the lock; null for an event without a
     *     profile, or with values that the sender chose
     */
    record OfMember(
            TenantRoom room,
            UserId sender,
            UserId target,
            EventId id,
            MemberAction action,
            ObjectNode extra,
            boolean restrictionMet,
            @Nullable ShownProfile profile)
            implements Delayable {
        public OfMember withRestrictionMet(boolean isMet) {
            return new OfMember(room, sender, target, id, action, extra, isMet, profile);
        }
    }

    /**
     * An administrator of the tenant removes a user from the room on the server's authority, without the authorization
     * rules (contract.md 5.3).
     *
     * @param ban whether the user is banned as well
     */
    record OfExpulsion(
            TenantRoom room,
            UserId sender,
            UserId target,
            EventId id,
            boolean ban,
            @Nullable String reason) implements RoomDraft {}

    /**
     * An administrator of the tenant gives a member as much power as the most powerful user of the power levels has, on the server's
     * authority, without the authorization rules (contract.md 5.7).
     */
    record OfPromotion(TenantRoom room, UserId sender, UserId target, EventId id) implements RoomDraft {}

    /**
     * An administrator of the tenant redacts a message event on the server's authority, without the authorization rules
     * (contract.md 5.3). A redacted event and a state event stay unchanged.
     *
     * @param content of the redaction; names the target, too
     */
    record OfRetraction(TenantRoom room, UserId sender, EventId target, EventId id, ObjectNode content, EventText text)
            implements RoomDraft {}

    /** Shows the profile from the user log. No event if the member event shows the profile, or the user is not in the room. */
    record OfProfile(TenantRoom room, UserId sender, EventId id) implements RoomDraft {}

    /**
     * A new room. Its first events are appended together or not at all.
     *
     * @param madeAtMillis the time of the events
     * @param events in order, the create event first
     * @param published whether the room is in the room directory from the beginning
     */
    record OfCreation(TenantRoom room, UserId sender, long madeAtMillis, List<FirstEvent> events, boolean published)
            implements RoomDraft {}

    /** Puts the room into the room directory, or takes the room out (contract.md 6); administrators need no power. */
    record OfListing(TenantRoom room, UserId sender, boolean published, boolean admin) implements RoomDraft {}

    /** An administrator of the tenant removes the room with all its events (contract.md 5.4). */
    record OfPurge(TenantRoom room, UserId sender) implements RoomDraft {}

    /**
     * Replaces the room by a new one (contract.md 8.4).
     *
     * @param replacement the new room, on the same shard
     * @param tombstone the id of the tombstone, which the new room's create event names
     * @param profile the sender's, for the first member event
     * @param ids makes event ids: the number of events is known only under the lock
     */
    record OfUpgrade(
            TenantRoom room,
            UserId sender,
            NewRoom replacement,
            EventId tombstone,
            ShownProfile profile,
            Supplier<EventId> ids)
            implements RoomDraft {}

    /**
     * Bans that follow an upgrade into the successor, on the server's authority. Users with a membership in the
     * successor are left out.
     *
     * @param sender the user who upgraded the room
     * @param after the position in the predecessor up to which bans were copied before
     * @param upto the position of the last ban of the draft; null if no bans remain
     */
    record OfBans(
            TenantRoom room,
            UserId sender,
            List<BanCopies.Ban> bans,
            long after,
            @Nullable Long upto,
            Supplier<EventId> ids)
            implements RoomDraft {}

    /**
     * A change of a user's devices or keys, announced by one entry without a room to all users who share rooms of the shard.
     *
     * @param room any room of the shard
     * @param rooms the user's rooms of the shard; a portion of them if the user has very many
     */
    record OfDeviceList(TenantRoom room, UserId sender, List<RoomId> rooms) implements RoomDraft {}

    record OfForgetting(TenantRoom room, UserId sender) implements RoomDraft {}

    /** Read receipts of a member for events that the member may see. */
    record OfReceipts(TenantRoom room, UserId sender, List<ReadEvent> reads) implements RoomDraft {}

    /**
     * A receipt for an event.
     *
     * @param type {@code m.read} or {@code m.read.private}
     * @param thread {@code main}, or the root of the event's thread; null for an unthreaded receipt
     */
    record ReadEvent(String type, @Nullable String thread, EventId event, long pos) {}

    /**
     * An initial event of a new room.
     *
     * @param optional whether a refused event is left out instead of failing the creation, as for invitations
     * @param profile of a member event, as in {@link OfMember}
     */
    record FirstEvent(
            EventId id,
            String type,
            @Nullable String stateKey,
            ObjectNode content,
            EventText text,
            boolean optional,
            @Nullable ShownProfile profile) {}
}
