package rookery.room.authorization;

import org.jspecify.annotations.Nullable;
import rookery.model.event.Membership;
import rookery.model.id.UserId;

/** The part of a room's state that verdicts need, as of before the judged event. */
public interface RoomState {
    /** The sender of the create event; null before the create event. */
    @Nullable
    UserId creator();

    /** The number of events so far; the second event is the creator's own join. */
    long events();

    /** The power levels in force; for a room without a power levels event, the defaults. */
    PowerLevels power();

    /** Whether a power levels event is in force. */
    boolean hasPowerLevels();

    /** The join rule in force; {@code invite} without such an event. */
    String joinRule();

    /** The user's current membership; {@link Membership#LEAVE} without a member event. */
    Membership membership(UserId user);
}
