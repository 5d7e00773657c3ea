package rookery.room.authorization;

import org.jspecify.annotations.Nullable;
import rookery.model.event.Membership;
import rookery.model.id.UserId;

/** The part of a room's state that verdicts need, as it is before the event that is judged. */
public interface RoomState {
    /** Who made the room; null while there is no create event. */
    @Nullable
    UserId creator();

    /** How many events the room has already; the second one is the creator's own join. */
    long events();

    /** The power levels in force, those of a room without such an event included. */
    PowerLevels power();

    /** {@code m.room.power_levels} was sent already. */
    boolean hasPowerLevels();

    /** {@code public}, {@code invite}, {@code knock}, …; {@code invite} when there is no such event. */
    String joinRule();

    /** What the user is to the room now; {@link Membership#LEAVE} if it never heard of them. */
    Membership membership(UserId user);
}
