/** Joining, inviting, leaving, kicking, banning: who is in a room (contract.md 8.3). */
@NullMarked
package rookery.room.membership;

import org.jspecify.annotations.NullMarked;
