package rookery.room.draft;

import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import rookery.model.id.EventId;
import rookery.model.id.RoomId;
import rookery.model.id.TenantRoom;
import rookery.model.id.UserId;
import rookery.room.inbox.ShownProfile;
import rookery.room.table.BanCopies;
import rookery.room.transaction.TransactionKey;
import tools.jackson.databind.node.ObjectNode;

/** What somebody wants of a room: checked as far as that goes without the room, not judged yet. */
public sealed interface RoomDraft {
    TenantRoom room();

    UserId sender();

    /**
     * A message event, or a state event that is no membership.
     *
     * @param id allocated before the transaction, like every event id
     * @param stateKey null for a message event
     * @param txn null where the request has no transaction id
     */
    record OfEvent(
            TenantRoom room,
            UserId sender,
            EventId id,
            String type,
            @Nullable String stateKey,
            ObjectNode content,
            EventText text,
            @Nullable TransactionKey txn)
            implements RoomDraft {}

    /**
     * A redaction of an event (contract.md 9.6).
     *
     * @param content of the redaction; it names the target, too
     * @param seen whether the sender could see the target when asking: while they stay in the room, that does not end
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
            TransactionKey txn)
            implements RoomDraft {}

    /**
     * A change of somebody's membership (contract.md 8.3).
     *
     * @param extra what the event's content holds besides the membership: reason, is_direct
     * @param restrictionMet whether the target is in a room whose members a restricted rule lets in
     * @param profile how the target is shown, as auth-service answered before the lock; null where the event shows no profile,
     *     or one that its sender chose
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
            implements RoomDraft {
        public OfMember withRestrictionMet(boolean met) {
            return new OfMember(room, sender, target, id, action, extra, met, profile);
        }
    }

    /**
     * An administrator of the tenant takes somebody out of the room, on the server's authority: the rules are not asked
     * (contract.md 5.3).
     *
     * @param ban whether they may not come back
     */
    record OfExpulsion(
            TenantRoom room,
            UserId sender,
            UserId target,
            EventId id,
            boolean ban,
            @Nullable String reason) implements RoomDraft {}

    /** A member of the room is to be shown as the user log has it by now; nothing if they are, or are not in the room. */
    record OfProfile(TenantRoom room, UserId sender, EventId id) implements RoomDraft {}

    /**
     * A new room: all of its first events or none.
     *
     * @param events in their order, the create event first
     * @param published whether it is in the room directory from the first
     */
    record OfCreation(TenantRoom room, UserId sender, List<FirstEvent> events, boolean published)
            implements RoomDraft {}

    /**
     * The room is to be put into the room directory, or taken out of it (contract.md 6).
     *
     * @param admin whether the sender is an administrator of the tenant
     */
    record OfListing(TenantRoom room, UserId sender, boolean published, boolean admin) implements RoomDraft {}

    /** An administrator of the tenant has the room removed, and everything in it (contract.md 5.4). */
    record OfPurge(TenantRoom room, UserId sender) implements RoomDraft {}

    /**
     * A new room is to take this one's place (contract.md 8.4).
     *
     * @param replacement the new room, which lives on the same shard
     * @param version of the new room
     * @param profile of the sender, who is its first member
     * @param ids how many events it takes is only known under the lock
     */
    record OfUpgrade(
            TenantRoom room,
            UserId sender,
            RoomId replacement,
            String version,
            ShownProfile profile,
            Supplier<EventId> ids)
            implements RoomDraft {}

    /**
     * Bans that an upgrade left for later are to be pronounced in the successor, on the server's authority; nothing for those of whom
     * it says something already.
     *
     * @param sender who made the upgrade
     * @param after up to where, in the predecessor, bans were copied before these
     * @param upto the position of the last of these; null if there are no more
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
     * Devices or keys of a user are others: all who share rooms of the room's shard with the user are told, by one entry of no room.
     *
     * @param room any one of the shard
     * @param rooms all of the shard that the user is in, or some of them where they are very many
     */
    record OfDeviceList(TenantRoom room, UserId sender, List<RoomId> rooms) implements RoomDraft {}

    /** A user who has left wants to hear nothing of the room any more. */
    record OfForgetting(TenantRoom room, UserId sender) implements RoomDraft {}

    /** A member has read up to these events, all of which the member may see. */
    record OfReceipts(TenantRoom room, UserId sender, List<ReadEvent> reads) implements RoomDraft {}

    /**
     * An event that was read.
     *
     * @param type {@code m.read} or {@code m.read.private}
     * @param thread {@code main}, or the root of the thread that the event is in; null for none in particular
     * @param pos where the event stands
     */
    record ReadEvent(String type, @Nullable String thread, EventId event, long pos) {}

    /**
     * One of a new room's first events.
     *
     * @param optional whether the room is made without it when the rules refuse it, as with invitations
     * @param profile of a member event: how the member is shown, as {@link OfMember} has it
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
