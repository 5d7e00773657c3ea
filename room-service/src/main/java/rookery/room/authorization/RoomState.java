// SPDX-License-Identifier: Apache-2.0
package rookery.room.authorization;

import rookery.model.event.Membership;
import rookery.model.id.UserId;

/** A room as of before the judged event. */
public interface RoomState {
    CoreState core();

    /** The number of events so far; the second event is the creator's own join. */
    long events();

    /** The user's current membership; {@link Membership#LEAVE} without a member event. */
    Membership membership(UserId user);
}
